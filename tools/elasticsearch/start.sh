#!/usr/bin/env bash
# start.sh FOLDER [HTTP_PORT [TRANSPORT_PORT]]: an Elasticsearch 8.19 on 127.0.0.1 from Maven Central, without security, in the foreground. Needs mvn and a JDK of 17 or
# later. It refuses to run as root, who starts it as nobody.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mkdir -p "$1/home/config" && cd "$1" && pwd)
runner=$folder/lib/randomizedtesting-runner-2.8.2.jar
if [[ ! -e $folder/classes ]]; then
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder/lib"
  # One class of the test framework gives place to ours; the node looks for classes that stand twice.
  rm -rf "$folder/unpacked" && mkdir "$folder/unpacked"
  (cd "$folder/unpacked" && jar xf "$runner" && rm com/carrotsearch/randomizedtesting/RandomizedContext.class && jar cf "$runner" .)
  rm -r "$folder/unpacked"
  find "$here" -name '*.java' -exec javac -cp "$folder/lib/*" -d "$folder/classes" {} +
fi
as=()
if ((EUID == 0)); then
  chown -R nobody "$folder/home"
  as=(setpriv --reuid=nobody --clear-groups)
fi
x=org.elasticsearch.xpack
cd "$folder/home"
exec "${as[@]}" java -Xms1g -Xmx2g -Dlog4j2.level=WARN --add-opens=java.base/java.io=ALL-UNNAMED \
  -cp "$folder/classes:$folder/lib/*" RunElasticsearch "$folder/home" "${2:-19200}" "${3:-19300}" org.elasticsearch.transport.netty4.Netty4Plugin \
  $x.core.XPackPlugin $x.esql.core.plugin.EsqlCorePlugin $x.esql.plugin.EsqlPlugin $x.kql.KqlPlugin $x.versionfield.VersionFieldPlugin
