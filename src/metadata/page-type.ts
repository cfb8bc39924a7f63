/**
 * Finds the type of a page: from what it declares, then from its links, words and markup. Most pages that match no rule
 * have no type.
 */
import type { MetadataSource, PageType } from '../model/metadata.ts';
import type { KeptText } from './kept-text.ts';
import type { PageFacts } from './page-facts.ts';

/** The evidence for the type of a page. */
export interface TypeEvidence {
  facts: PageFacts;
  url: string;
  kept: KeptText;
  isForum?: boolean;
  /** Whether the page names its own date or author. */
  isSigned: boolean;
}

/** A page type with the source of the verdict. */
export interface FoundType {
  type: PageType;
  source: MetadataSource;
}

const LD_TYPES: [pattern: RegExp, type: PageType][] = [
  [/^(?:DiscussionForumPosting|QAPage)$/, 'forum'],
  [/^(?:TechArticle|APIReference|HowTo)$/, 'documentation'],
  [/(?:Article|BlogPosting|Report|Review|Recipe)$/, 'article'],
  [/^(?:Product|ProductGroup|IndividualProduct|Vehicle|Book|Offer)$/, 'product'],
  [/^(?:CollectionPage|ItemList|SearchResultsPage|OfferCatalog)$/, 'listing'],
  [/^(?:Service|LocalBusiness|ProfessionalService|Organization|SoftwareApplication)$/, 'service'],
];
const OG_TYPES: Record<string, PageType> = {
  article: 'article',
  product: 'product',
  'og:product': 'product',
  'product.item': 'product',
  blog: 'listing',
  book: 'product',
};

/** URL paths that documentation software uses. */
const MANUAL_URL =
  /\/\/docs?\.|\/\/(?:developers?|wiki|help|learn)\.|readthedocs|\/(?:docs?|documentation|api|reference|manual|man\d?|guides?|wiki|help|kb)(?:\/|$)/i;
/** Minimum words of prose in an article, and minimum share of links in a list. */
const ARTICLE_WORDS = 200;
const LIST_WORDS = 100;
const LIST_LINKS = 0.5;
const ARTICLE_LINKS = 0.3;

/** Finds the type of a page; undefined if no rule applies. */
export function findPageType({ facts, kept, isForum, url, isSigned }: TypeEvidence): FoundType | undefined {
  if (isForum) return { type: 'forum', source: 'text' };
  for (const type of facts.jsonLd.types ?? []) {
    const found = LD_TYPES.find(([pattern]) => pattern.test(type));
    if (found) return { type: found[1], source: 'json-ld' };
  }
  const og = OG_TYPES[(facts.meta.get('og:type') ?? '').toLowerCase()];
  if (og) return { type: og, source: 'open-graph' };
  if (facts.meta.has('product:price:amount') || facts.meta.has('og:price:amount'))
    return { type: 'product', source: 'open-graph' };
  if (MANUAL_URL.test(url.slice(0, 300))) return { type: 'documentation', source: 'url' };
  const { words, linkWords } = kept;
  if (words >= LIST_WORDS && linkWords > LIST_LINKS * words) return { type: 'listing', source: 'text' };
  if (isSigned && words >= ARTICLE_WORDS && linkWords < ARTICLE_LINKS * words)
    return { type: 'article', source: 'text' };
  return undefined;
}
