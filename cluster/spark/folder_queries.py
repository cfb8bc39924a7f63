"""Counts over output folders in Spark SQL: over the same Parquet files as `chaff sql`, with equal rows.

    spark-submit folder_queries.py template-counts  crawl.chaff
    spark-submit folder_queries.py shared-by-sites  part-1.chaff part-2.chaff ...
    spark-submit folder_queries.py fragment-classes crawl.fragments

`template-counts` and `shared-by-sites` are the queries of these names in docs/reference/queries.md. They take several folders as
one when no site is in two of them: that is how a collection is counted that was planned in pieces. `fragment-classes`
groups the members of shared fragments by class, as the table of that name in a folder of `chaff fragments` does.
"""

import argparse
import json
import os

from pyspark.sql import SparkSession
from pyspark.sql.functions import lit

# Shorter templates are on several sites by chance.
MIN_SHARED_BYTES = 32

# Templates of one hash on several sites are one template.
DISTINCT_TEMPLATES = """
  SELECT template, count(*) AS sites, sum(latest_occurrences) AS occurrences, max(size_bytes) AS size_bytes,
    min(pages) AS least_pages,
    array_join(slice(transform(sort_array(collect_list(struct(-pages AS fewest, site))), each -> each.site), 1, 5), ', ')
      AS on_sites,
    min_by(text, site) AS text
  FROM templates WHERE detector = '{detector}' AND latest_occurrences > 0 GROUP BY template"""

QUERIES = {
    "template-counts": f"""
SELECT count(*) AS templates, coalesce(sum(occurrences), 0) AS occurrences,
  count_if(sites > 1 AND size_bytes >= {MIN_SHARED_BYTES}) AS on_several_sites
FROM ({DISTINCT_TEMPLATES})""",
    "shared-by-sites": f"""
WITH on_sites AS (
  SELECT * FROM ({DISTINCT_TEMPLATES}) WHERE sites > 1 AND size_bytes >= {MIN_SHARED_BYTES}),
holders AS (
  SELECT template, percentile(p.text_bytes, 0.5) AS text_bytes, percentile(p.links, 0.5) AS links
  FROM (SELECT DISTINCT folder, page, template FROM ranges WHERE detector = '{{detector}}')
    JOIN pages p USING (folder, page) LEFT SEMI JOIN on_sites USING (template)
  GROUP BY template)
SELECT template, sites, occurrences, size_bytes, on_sites,
  CASE WHEN trim(text) = '' THEN 'markup'
    WHEN NOT text RLIKE '\\\\p{{L}}' THEN 'decoration'
    WHEN text_bytes < 300 AND octet_length(text) > text_bytes / 2 AND links <= 2 THEN 'redirect notice'
    WHEN text_bytes < 600 AND octet_length(text) > text_bytes / 2 THEN 'error page or notice'
    WHEN least_pages >= 3 AND octet_length(text) < text_bytes / 4 THEN 'shared software'
    ELSE 'text in common' END AS likely_cause, text
FROM on_sites JOIN holders USING (template) ORDER BY sites DESC, occurrences DESC, template""",
    "fragment-classes": """
SELECT relation, class, count(DISTINCT page) AS pages, count(*) AS members, count(DISTINCT site) AS sites,
  avg(end - start) AS avg_bytes, avg(complete_bytes) AS avg_complete_bytes,
  CAST(round(sum(end - start) - avg(end - start)) AS BIGINT) AS saved_bytes
FROM fragment_members JOIN fragment_pages p USING (folder, page)
GROUP BY relation, class ORDER BY relation, saved_bytes DESC, class""",
}

# Views by name, and the files of an output folder that they read.
TABLES = {
    "pages": "pages",
    "ranges": "ranges",
    "templates": "templates",
    "fragment_members": "fragments/members.parquet",
    "fragment_pages": "fragments/pages.parquet",
}


def open_folders(spark, folders):
    """Makes a view of each table that the folders have. The column `folder` distinguishes pages with the same number."""
    for name, path in TABLES.items():
        parts = [
            spark.read.parquet(os.path.join(folder, path)).withColumn("folder", lit(number))
            for number, folder in enumerate(folders)
            if os.path.exists(os.path.join(folder, path))
        ]
        if not parts:
            continue
        table = parts[0]
        for part in parts[1:]:
            table = table.unionByName(part)
        table.createOrReplaceTempView(name)


def ask(spark, name, detector="dom"):
    """The rows of a query over the folders that were opened, as dictionaries."""
    if not detector.isalpha():
        raise ValueError(f"a detector is a word, not {detector!r}")
    return [row.asDict() for row in spark.sql(QUERIES[name].replace("{detector}", detector)).collect()]


def main():
    parser = argparse.ArgumentParser(description="Count over output folders of Chaff in Spark SQL.")
    parser.add_argument("query", choices=QUERIES)
    parser.add_argument("folder", nargs="+", help="an output folder; several count as one")
    parser.add_argument("--detector", default="dom", help="whose templates are counted")
    options = parser.parse_args()
    if options.query == "fragment-classes" and len(options.folder) > 1:
        parser.error("classes of fragments are those of one folder")
    spark = SparkSession.builder.appName("chaff").getOrCreate()
    try:
        open_folders(spark, options.folder)
        for row in ask(spark, options.query, options.detector):
            print(json.dumps(row, ensure_ascii=False, default=float))
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
