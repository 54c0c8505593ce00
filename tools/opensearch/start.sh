#!/usr/bin/env bash
# start.sh FOLDER [HTTP_PORT [TRANSPORT_PORT]]: an OpenSearch 2.19 on 127.0.0.1 from Maven Central, without security, in the foreground. Needs mvn and Java 17.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mkdir -p "$1/home/config" "$1/home/modules" "$1/home/plugins" && cd "$1" && pwd)
[[ -e $folder/lib ]] || mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$folder/lib"
o=org.opensearch
plugins=$o.transport.Netty4Plugin,$o.painless.PainlessPlugin,$o.search.aggregations.matrix.MatrixAggregationPlugin
plugins+=,$o.analysis.common.CommonAnalysisPlugin,$o.geo.GeoModulePlugin,$o.script.mustache.MustachePlugin
plugins+=,$o.index.mapper.MapperExtrasPlugin,$o.join.ParentJoinPlugin,$o.index.reindex.ReindexPlugin
exec java -Xms512m -Xmx512m -cp "$folder/lib/*" "$here/RunOpenSearch.java" "$folder/home" "${2:-19200}" "${3:-19300}" "$plugins"
