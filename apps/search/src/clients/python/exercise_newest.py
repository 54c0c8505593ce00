"""What only newer versions of elasticsearch-py have: searches that go on by themselves, points in time, its query language. Prints JSON."""
import asyncio
import json
import os
import sys

from elasticsearch import AsyncElasticsearch, Elasticsearch, helpers
from elasticsearch.dsl import A, Q, Search

INDEX = "python-newest"
OPTIONS = {"basic_auth": (os.environ["SEARCH_USER"], os.environ["SEARCH_PASSWORD"]), "ca_certs": os.environ["SEARCH_CA"]}
URL = os.environ["SEARCH_URL"]


def asynchronous_search(client):
    aggs = {"levels": {"terms": {"field": "level"}}}
    kept = client.async_search.submit(
        index=INDEX, size=0, aggs=aggs, keep_on_completion=True, wait_for_completion_timeout="0ms", keep_alive="1m"
    )
    status = client.async_search.status(id=kept["id"])
    answer = client.async_search.get(id=kept["id"], wait_for_completion_timeout="30s")
    client.async_search.delete(id=kept["id"])
    at_once = client.async_search.submit(index=INDEX, size=1, wait_for_completion_timeout="30s")
    return {
        "running": [answer["is_running"], at_once["is_running"]],
        "status": sorted(status.body),
        "levels": {bucket["key"]: bucket["doc_count"] for bucket in answer["response"]["aggregations"]["levels"]["buckets"]},
        "id_of_unkept": at_once.get("id"),
        "hits": len(at_once["response"]["hits"]["hits"]),
    }


def point_in_time(client):
    pit = client.open_point_in_time(index=INDEX, keep_alive="1m")["id"]
    client.index(index=INDEX, document={"n": 100_000}, refresh=True)
    seen, after = [], None
    while True:
        page = client.search(pit={"id": pit, "keep_alive": "1m"}, sort=[{"n": "asc"}], size=150, search_after=after)
        hits = page["hits"]["hits"]
        if not hits:
            break
        seen += [hit["_source"]["n"] for hit in hits]
        after = hits[-1]["sort"]
    return {"seen": seen, "freed": client.close_point_in_time(id=pit)["num_freed"]}


def query_language(client):
    wanted = Q("match", message="event") & ~Q("term", level="error")
    search = Search(using=client, index=INDEX).query(wanted).filter("range", n={"lt": 100_000}).sort("-n")[:2]
    search.aggs.bucket("minutes", A("date_histogram", field="@timestamp", fixed_interval="1m")).metric("most", "max", field="n")
    answer = search.execute()
    return {
        "numbers": [hit.n for hit in answer],
        "minutes": [[bucket.doc_count, bucket.most.value] for bucket in answer.aggregations.minutes.buckets],
    }


async def asyncio_client(events):
    async with AsyncElasticsearch(URL, **OPTIONS) as client:
        stored, _ = await helpers.async_bulk(client, ({"_index": INDEX, "_source": event} for event in events), chunk_size=100)
        await client.indices.refresh(index=INDEX)
        found = await client.search(index=INDEX, size=0, track_total_hits=True)
        scanned = [hit["_source"]["n"] async for hit in helpers.async_scan(client, index=INDEX, size=250)]
        return {"stored": stored, "total": found["hits"]["total"]["value"], "scanned": sorted(scanned)}


def main():
    events = json.load(sys.stdin)
    client = Elasticsearch(URL, **OPTIONS)
    client.indices.create(index=INDEX, mappings=json.loads(os.environ["MAPPINGS"]))
    seen = {"asyncio": asyncio.run(asyncio_client(events))}
    seen["asynchronous_search"] = asynchronous_search(client)
    seen["query_language"] = query_language(client)
    seen["point_in_time"] = point_in_time(client)
    client.indices.delete(index=INDEX)
    print(json.dumps(seen))


main()
