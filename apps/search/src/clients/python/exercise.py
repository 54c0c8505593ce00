"""Does with elasticsearch-py, of version 7 and of version 9 alike, what people do with it, and prints what it saw as JSON."""
import json
import os
import sys

import elasticsearch
from elasticsearch import Elasticsearch, helpers

INDEX = "python-client"


def connect():
    login = (os.environ["SEARCH_USER"], os.environ["SEARCH_PASSWORD"])
    name = "http_auth" if elasticsearch.__version__[0] == 7 else "basic_auth"
    return Elasticsearch([os.environ["SEARCH_URL"]], ca_certs=os.environ["SEARCH_CA"], **{name: login})


def single_documents(client):
    created = client.index(index=INDEX, id="a/b c", document={"level": "none", "n": -1}, refresh="wait_for")
    updated = client.update(index=INDEX, id="a/b c", doc={"n": -2})
    source = client.get(index=INDEX, id="a/b c")["_source"]
    many = client.mget(index=INDEX, body={"ids": ["a/b c", "missing"]})["docs"]
    deleted = client.delete(index=INDEX, id="a/b c")
    try:
        client.get(index=INDEX, id="a/b c")
        missing = None
    except elasticsearch.NotFoundError as error:
        missing = error.status_code if hasattr(error, "status_code") else error.meta.status
    try:
        client.create(index=INDEX, id="twice", document={"n": -3})
        client.create(index=INDEX, id="twice", document={"n": -3})
        conflict = None
    except elasticsearch.ConflictError:
        conflict = True
    client.delete(index=INDEX, id="twice", refresh=True)
    try:
        client.search(index=INDEX, query={"nonsense": {}})
        refused = None
    except elasticsearch.BadRequestError if elasticsearch.__version__[0] > 7 else elasticsearch.RequestError as error:
        refused = error.error
    return {
        "results": [created["result"], updated["result"], deleted["result"]],
        "source": source,
        "found": [one["found"] for one in many],
        "missing": missing,
        "conflict": conflict,
        "refused": refused,
        "exists": bool(client.exists(index=INDEX, id="a/b c")),
    }


def bulk(client, events):
    actions = ({"_index": INDEX, "_id": str(event["n"]), "_source": event} for event in events[:500])
    stored, errors = helpers.bulk(client, actions, chunk_size=120)
    broken = [{"_index": INDEX, "_id": "bad", "_source": {"n": "no number"}}]
    _, refused = helpers.bulk(client, broken, raise_on_error=False)
    rest = ({"_op_type": "create", "_index": INDEX, "_id": str(event["n"]), **event} for event in events[500:])
    parallel = list(helpers.parallel_bulk(client, rest, thread_count=2, chunk_size=50))
    client.indices.refresh(index=INDEX)
    return {
        "stored": stored,
        "errors": errors,
        "refused": [item["index"]["status"] for item in refused],
        "parallel": sum(1 for ok, _ in parallel if ok),
    }


def read(client):
    found = client.search(index=INDEX, query={"match": {"message": "event"}}, sort=[{"n": "desc"}], size=3, track_total_hits=True)
    levels = client.search(index=INDEX, size=0, aggs={"levels": {"terms": {"field": "level"}}})
    page = client.search(index=INDEX, query={"match_all": {}}, scroll="1m", size=200, sort=["n"])
    scrolled = []
    while page["hits"]["hits"]:
        scrolled += [hit["_source"] for hit in page["hits"]["hits"]]
        page = client.scroll(scroll_id=page["_scroll_id"], scroll="1m")
    client.clear_scroll(scroll_id=page["_scroll_id"])
    errors_only = {"query": {"term": {"level": "error"}}}
    searches = [{"index": INDEX}, {"query": {"range": {"n": {"lt": 10}}}, "size": 0}, {"index": "nowhere"}, {}]
    answers = client.msearch(body=searches)
    return {
        "total": found["hits"]["total"],
        "newest": [hit["_source"]["n"] for hit in found["hits"]["hits"]],
        "levels": {bucket["key"]: bucket["doc_count"] for bucket in levels["aggregations"]["levels"]["buckets"]},
        "scrolled": scrolled,
        "scanned": sorted(hit["_source"]["n"] for hit in helpers.scan(client, index=INDEX, query=errors_only, size=30)),
        "counted": client.count(index=INDEX, body={"query": {"exists": {"field": "note"}}})["count"],
        "searches": [answer["status"] for answer in answers["responses"]],
    }


def administer(client):
    client.indices.put_alias(index=INDEX, name=INDEX + "-alias")
    client.ingest.put_pipeline(id=INDEX, body={"processors": [{"set": {"field": "seen", "value": True}}]})
    client.index(index=INDEX + "-copy", id="1", document={"n": 1}, pipeline=INDEX, refresh=True)
    copied, _ = helpers.reindex(client, INDEX, INDEX + "-copy", query={"query": {"term": {"level": "error"}}})
    client.indices.refresh(index=INDEX + "-copy")
    removed = client.delete_by_query(index=INDEX + "-copy", body={"query": {"term": {"seen": True}}}, refresh=True)
    table = client.cat.indices(index=INDEX + "*", h="index,docs.count", s="index", format="json")
    return {
        "health": client.cluster.health()["status"],
        "alias": list(client.indices.get_alias(name=INDEX + "-alias")),
        "copied": copied,
        "removed": removed["deleted"],
        "table": [dict(row) for row in table],
        "text": str(client.cat.count(index=INDEX, h="count")).strip(),
    }


def main():
    events = json.load(sys.stdin)
    client = connect()
    mappings = json.loads(os.environ["MAPPINGS"])
    seen = {"client": elasticsearch.__versionstr__, "server": client.info()["version"]["number"]}
    seen["exists"] = [bool(client.indices.exists(index=INDEX))]
    client.indices.create(index=INDEX, mappings=mappings, settings={"number_of_replicas": 0})
    seen["exists"].append(bool(client.indices.exists(index=INDEX)))
    seen["documents"] = single_documents(client)
    seen["bulk"] = bulk(client, events)
    seen["read"] = read(client)
    seen["administer"] = administer(client)
    client.indices.delete(index=[INDEX, INDEX + "-copy"])
    print(json.dumps(seen))


main()
