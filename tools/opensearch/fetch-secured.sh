#!/usr/bin/env bash
# fetch-secured.sh FOLDER: OpenSearch 2.19 and its security plugin from Maven Central: FOLDER/lib and FOLDER/security. Needs mvn and a JDK of 17 or newer.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[[ -e $folder/ready ]] && exit 0
rm -rf "$folder/lib" "$folder/security"
mvn -q -B -f "$here/pom-secured.xml" dependency:copy-dependencies -DoutputDirectory="$folder/lib"
mkdir "$folder/security"
(cd "$folder/security" && jar xf "$folder"/lib/opensearch-security-*.zip)
# What both bring is taken once: two versions of one library in a class path are a riddle.
for jar in "$folder"/security/*.jar; do
  name=$(basename "$jar" | sed -E 's/-[0-9].*//')
  compgen -G "$folder/lib/$name-[0-9]*.jar" >/dev/null || mv "$jar" "$folder/lib/"
done
touch "$folder/ready"
