"""From archives to a corpus: python corpus.py CRAWL OUT; OUT gets JSON lines with the text of each page and its URL."""
import sys

from chaff_datatrove import ChaffSites
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter

crawl, out = sys.argv[1:]
LocalPipelineExecutor([WarcReader(crawl), ChaffSites(), JsonlWriter(out)]).run()
