"""Written against a client that openapi-python-client has generated from the description of the example."""

import json
import sys
from typing import TypeVar

from quire_client import AuthenticatedClient
from quire_client.api.article import article_insert, article_list, article_read, article_update
from quire_client.api.topic import topic_insert
from quire_client.models import (
    ArticleInput,
    ArticleListSectionItem,
    ArticleListSortType0,
    ArticlePatch,
    TopicInput,
    WidgetCmsRichText,
)
from quire_client.models.error import Error

address, key = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=key)

Data = TypeVar("Data")


def given(answer: Data | Error | None) -> Data:
    if answer is None or isinstance(answer, Error):
        raise RuntimeError(answer)
    return answer


topic = given(topic_insert.sync(client=client, body=TopicInput(title="Rivers")))
article = ArticleInput.from_dict(
    {
        "title": "Ink",
        "section": "essay",
        "body": {"items": [{"type": "@cms/rich-text", "content": "<p>Ink is slow.</p>"}]},
        "_topics": [{"_id": topic.field_id}],
    }
)
made = given(article_insert.sync(client=client, body=article))
found = given(
    article_list.sync(
        client=client,
        sort=ArticleListSortType0.VALUE_11,
        section=[ArticleListSectionItem.ESSAY, ArticleListSectionItem.RECIPE],
        per_page=5,
    )
)
read = given(article_read.sync(made.field_id, client=client))
changed = given(article_update.sync(made.field_id, client=client, body=ArticlePatch(subtitle="Slowly")))

assert read.body and read.field_topics
print(
    json.dumps(
        {
            "listed": [one.title for one in found.results],
            "words": [one.content for one in read.body.items if isinstance(one, WidgetCmsRichText)],
            "topics": [one.slug for one in read.field_topics],
            "section": changed.section,
            "subtitle": changed.subtitle,
        }
    )
)
