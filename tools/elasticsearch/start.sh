#!/usr/bin/env bash
# start.sh [--secured] FOLDER [HTTP_PORT [TRANSPORT_PORT]]: an Elasticsearch 8.19 on 127.0.0.1 from Maven Central, in the foreground; with --secured one that asks who
# is there: root, whose password is test-password-of-root. Needs mvn and a JDK of 17 or later. It refuses to run as root, who starts it as nobody.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kind=plain
if [[ $1 == --secured ]]; then kind=secured && shift; fi
folder=$(mkdir -p "$1/$kind/home/config" && cd "$1/$kind" && pwd)
runner=$folder/lib/randomizedtesting-runner-2.8.2.jar
if [[ ! -e $folder/classes ]]; then
  mvn -q -B -P "$kind" -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder/lib"
  # One class of the test framework gives place to ours; the node looks for classes that stand twice.
  rm -rf "$folder/unpacked" && mkdir "$folder/unpacked"
  (cd "$folder/unpacked" && jar xf "$runner" && rm com/carrotsearch/randomizedtesting/RandomizedContext.class && jar cf "$runner" .)
  rm -r "$folder/unpacked"
  find "$here" -name '*.java' -exec javac -cp "$folder/lib/*" -d "$folder/classes" {} +
fi
x=org.elasticsearch.xpack
if [[ $kind == secured ]]; then
  echo 'root:$2a$10$8AvbJe1iRuUm9ucxCNkaW.YcQGFpf1HiASLZPmWmpgEzvyQDe57Bi' >"$folder/home/config/users"
  echo 'superuser:root' >"$folder/home/config/users_roles"
  # Security brings network transports of its own; keys and tokens are else only given out where TLS is on.
  more=("$x.security.Security" NamedAnalysis xpack.security.enabled=true xpack.security.transport.ssl.enabled=false xpack.license.self_generated.type=trial
    xpack.security.authc.api_key.enabled=true xpack.security.authc.token.enabled=true)
else
  more=(xpack.security.enabled=false http.type=netty4 transport.type=netty4)
fi
as=()
if ((EUID == 0)); then
  chown -R nobody "$folder/home"
  as=(setpriv --reuid=nobody --clear-groups)
fi
cd "$folder/home"
exec "${as[@]}" java -Xms1g -Xmx2g -Dlog4j2.level=WARN --add-opens=java.base/java.io=ALL-UNNAMED \
  -cp "$folder/classes:$folder/lib/*" RunElasticsearch "$folder/home" "${2:-19200}" "${3:-19300}" org.elasticsearch.transport.netty4.Netty4Plugin \
  $x.core.XPackPlugin $x.esql.core.plugin.EsqlCorePlugin $x.esql.plugin.EsqlPlugin $x.kql.KqlPlugin $x.versionfield.VersionFieldPlugin EnrichPolicies "${more[@]}"
