import { expect, test } from 'vitest';
import { extract } from '../run/library/extract.ts';
import { site } from '../run/library/growing-site.ts';

const PROSE =
  '<p>The river rose by two metres in the night, and the people of the lower town carried their furniture up the stairs.</p>'.repeat(
    4,
  );

function described(
  head: string,
  body = `<h1>The river rose</h1>${PROSE}`,
  url = 'https://news.example/river',
) {
  const { title, metadata } = extract(
    `<html><head>${head}</head><body><article>${body}</article></body></html>`,
    {
      url,
    },
  );
  return { title, ...metadata };
}

test('JSON-LD gives author, dates, publisher, picture and type; references between its objects are followed', () => {
  const json = JSON.stringify({
    '@graph': [
      { '@type': 'WebSite', name: 'The News' },
      {
        '@type': 'NewsArticle',
        headline: 'The river rose',
        author: [{ '@id': '#ada' }],
        datePublished: '2019-10-31T08:00:00+01:00',
        dateModified: '2019-11-02',
        image: ['/river.jpg'],
      },
      { '@type': 'Person', '@id': '#ada', name: 'Ada Lowell' },
    ],
  });
  const found = described(`<script type="application/ld+json">${json}</script>`);
  expect(found).toMatchObject({
    author: 'Ada Lowell',
    published: '2019-10-31T08:00:00+01:00',
    modified: '2019-11-02',
    image: 'https://news.example/river.jpg',
    siteName: 'The News',
    type: 'article',
    language: 'en',
  });
  expect(found.sources).toMatchObject({ author: 'json-ld', published: 'json-ld', language: 'text' });
});

test('broken JSON-LD with line ends in strings and a comma too many is read', () => {
  const json = '<!-- {"@type":"Article","description":"two\nlines","author":{"name":"Ada Lowell",},} -->';
  expect(described(`<script type="application/ld+json">${json}</script>`).author).toBe('Ada Lowell');
});

test('deep and endless JSON-LD costs little and gives no values', () => {
  const deep = `${'{"a":['.repeat(5000)}1${']}'.repeat(5000)}`;
  const long = `[${'{"@type":"Article","author":"x"},'.repeat(40_000)}0]`;
  const scripts = [deep, long].map((json) => `<script type="application/ld+json">${json}</script>`);
  expect(described(scripts.join('')).author).toBeUndefined();
});

test('Open Graph, meta and link elements give their values', () => {
  const found = described(`
    <meta property="og:title" content="The river rose"><meta property="og:site_name" content="The News">
    <meta name="description" content="A &amp; B"><meta name="author" content="By Ada Lowell and Ben Marsh">
    <meta property="article:published_time" content="2019-10-31"><link rel="canonical" href="/river?x=1#y">
    <link rel="license" href="https://creativecommons.org/licenses/by/4.0/">
    <meta property="og:image" content="javascript:alert(1)">`);
  expect(found).toMatchObject({
    title: 'The river rose',
    author: 'Ada Lowell; Ben Marsh',
    published: '2019-10-31',
    description: 'A & B',
    canonical: 'https://news.example/river?x=1#y',
    licence: 'https://creativecommons.org/licenses/by/4.0/',
    siteName: 'The News',
  });
  expect(found.image).toBeUndefined();
  expect(found.sources).toMatchObject({ canonical: 'link', published: 'open-graph', description: 'meta' });
});

test('microdata gives author and day', () => {
  const found = described(
    '',
    `<h1>The river rose</h1><span itemprop="author">Ada Lowell</span><meta itemprop="datePublished" content="2019-10-31">${PROSE}`,
  );
  expect(found).toMatchObject({ author: 'Ada Lowell', published: '2019-10-31' });
});

test('an author that only RDFa near the headline names is found', () => {
  const mark = '<b property="dc:creator" content="Ada Lowell">the staff of this paper</b>';
  expect(described('', `<h1>The river rose</h1>${mark}${PROSE}`).author).toBe('Ada Lowell');
});

test('a time element, a day in the text and a day in the URL are taken in this order', () => {
  const time = '<time datetime="2019-10-31T08:00">yesterday</time>';
  const text = '<div class="date">30 October 2019</div>';
  const url = 'https://news.example/2019/10/29/river';
  expect(described('', `<h1>The river rose</h1>${text}${time}${PROSE}`, url).published).toBe(
    '2019-10-31T08:00:00',
  );
  expect(described('', `<h1>The river rose</h1>${text}${PROSE}`, url).published).toBe('2019-10-30');
  const found = described('', `<h1>The river rose</h1>${PROSE}`, url);
  expect([found.published, found.sources.published]).toEqual(['2019-10-29', 'url']);
});

test('of 03/04/2019 the day of the URL decides, then the language', () => {
  const body = (date: string) => `<h1>The river rose</h1><div class="date">${date}</div>${PROSE}`;
  expect(described('', body('03/04/2019')).published).toBe('2019-03-04');
  expect(described('', body('03/04/2019'), 'https://news.example/2019-04-03-river').published).toBe(
    '2019-04-03',
  );
  const german =
    '<p>Der Fluss stieg in der Nacht um zwei Meter, und die Leute der unteren Stadt trugen ihre Möbel hinauf.</p>';
  const text = `<h1>Der Fluss</h1><div class="date">03/04/2019</div>${german.repeat(4)}`;
  expect(described('', text)).toMatchObject({ language: 'de', published: '2019-04-03' });
});

test('the words decide the language, whatever the page declares', () => {
  const german =
    '<p>Der Fluss stieg in der Nacht um zwei Meter, und die Leute der unteren Stadt trugen ihre Möbel hinauf.</p>';
  const html = `<html lang="en"><body><h1>Fluss</h1>${german.repeat(4)}</body></html>`;
  expect(extract(html).metadata).toMatchObject({ language: 'de', sources: { language: 'text' } });
  const few = extract('<html lang="pt-BR"><body><h1>OK</h1></body></html>').metadata;
  expect(few).toMatchObject({ language: 'pt', sources: { language: 'declared' } });
});

test('a title alone loses the name of its site: by the markup, the host or the headline', () => {
  const og = '<meta property="og:site_name" content="The Daily Post">';
  expect(described(`<title>Flood - The Daily Post</title>${og}`, PROSE).title).toBe('Flood');
  expect(described('<title>Flood | News</title>', PROSE).title).toBe('Flood');
  expect(described('<title>The river rose – somewhere else</title>').title).toBe('The river rose');
  expect(described('<title>Flood - a story of water</title>', PROSE).title).toBe('Flood - a story of water');
});

test('the pages of a site show what its titles share, in any order of pages', () => {
  const page = (k: number) => ({
    url: `https://a.example/${k}`,
    html: `<html><head><title>Story ${k} :: Zebra Weekly</title></head><body>${PROSE}<p>${'x'.repeat(k + 1)}</p></body></html>`,
  });
  const pages = Array.from({ length: 6 }, (_, k) => page(k));
  const host = site();
  for (const one of pages) host.add(one);
  const stripped = host.strip(pages[2])!;
  expect(stripped).toMatchObject({
    title: 'Story 2',
    metadata: { siteName: 'Zebra Weekly', sources: { siteName: 'site' } },
  });
  const other = site();
  for (const one of pages.toReversed()) other.add(one);
  expect(other.learn().names).toEqual(host.learn().names);
});

test('words and link density cover the kept text; Chinese words are characters', () => {
  const linked = '<p>one two three four five six seven <a href="/x">eight nine</a> ten</p>';
  const { metadata } = extract(`<body>${linked}</body>`);
  expect(metadata).toMatchObject({ words: 10, linkDensity: 0.2 });
  expect(extract('<body><p>河水在夜里上涨。</p></body>').metadata.words).toBe(7);
});

test('hostile values are bounded and well-formed', () => {
  const found = described(
    `<meta name="description" content="${'x'.repeat(9000)}"><link rel="canonical" href="https://a.example/${'y'.repeat(9000)}">
     <meta name="author" content="${'<b>'.repeat(3000)}"><title>${'t'.repeat(9000)}</title>`,
    PROSE,
  );
  expect(found.description).toHaveLength(1000);
  expect(found.title).toHaveLength(500);
  expect(found.canonical).toBeUndefined();
  expect(found.author).toBeUndefined();
});

/** A site whose meta elements have the day of the build, and whose template has the day of each page. */
function datedPages(dates: readonly string[]) {
  return dates.map((date, k) => ({
    url: `https://dated.example/${k}`,
    html: `<html><head><title>Story ${k}</title><meta name="date" content="2024-01-01"></head><body>
      <ul><li>Home<li>News<li>Contact</ul><h1>Story ${k} of the week</h1><div class="x7">${date}</div>
      ${PROSE}<p>Only here: ${'abcdefghij'.slice(k)} ${k * 7919}.</p><div class="foot">Updated 2024-01-01</div></body></html>`,
  }));
}

test('a slot that holds a day on every page is believed before any meta element', () => {
  const pages = datedPages([
    'March 3, 2019',
    'March 9, 2019',
    'April 2, 2019',
    'May 30, 2019',
    'June 1, 2019',
    'June 8, 2019',
  ]);
  const host = site();
  for (const page of pages) host.add(page);
  expect(host.strip(pages[3])!.metadata).toMatchObject({
    published: '2019-05-30',
    sources: { published: 'slot' },
  });
  const other = site();
  for (const page of pages.toReversed()) other.add(page);
  expect(other.learn().dateSlots).toEqual(host.learn().dateSlots);
});

test('the other dates of a slot decide which number is the day', () => {
  const pages = datedPages([
    '03/04/2019',
    '17/04/2019',
    '25/05/2019',
    '30/05/2019',
    '08/06/2019',
    '22/06/2019',
  ]);
  const host = site();
  for (const page of pages) host.add(page);
  expect(host.strip(pages[0])!.metadata.published).toBe('2019-04-03');
});

test('an author is found by the class of an element, by the card for social networks and by first and last name', () => {
  const body = (byline: string) => `<h1>The river rose</h1>${byline}${PROSE}`;
  for (const byline of [
    '<div class="post-author">Ada Lowell</div>',
    '<p class="article__author-name">by <b>Ada Lowell</b></p>',
    '<p class=byline><span class=label>Post author</span> By <a href="/author/ada">Ada Lowell</a></p>',
  ])
    expect(described('', body(byline)).author, byline).toBe('Ada Lowell');
  const links =
    '<p class=byline><a href="/author/1">Ada Lowell</a> & <a href="/author/2">Ben Marsh</a> <a href="/author/3">Follow</a></p>';
  expect(described('', body(links)).author).toBe('Ada Lowell; Ben Marsh');
  const card =
    '<meta name="twitter:label1" content="Verfasst von"><meta name="twitter:data1" content="Ada Lowell">';
  expect(described(card).author).toBe('Ada Lowell');
  expect(described(card.replace('Verfasst von', 'Price')).author).toBeUndefined();
  const person = { '@type': 'Article', author: { givenName: 'Ada', familyName: 'Lowell', name: 'Ada' } };
  expect(described(`<script type="application/ld+json">${JSON.stringify(person)}</script>`).author).toBe(
    'Ada Lowell',
  );
});

test('markup that names more of the authors wins; accounts with numbers come last, and nobody is called admin', () => {
  const json = (author: string) =>
    `<script type="application/ld+json">{"@type":"Article","author":"${author}"}</script>`;
  const both = '<meta name=author content="Ada Lowell, Ben Marsh">';
  expect(described(json('Ada Lowell') + both)).toMatchObject({
    author: 'Ada Lowell; Ben Marsh',
    sources: { author: 'meta' },
  });
  expect(described(json('Cy Dunn') + both).author).toBe('Cy Dunn');
  const byline = `<h1>The river rose</h1><p class=author>Ada Lowell</p>${PROSE}`;
  for (const account of ['ada1984', 'admin', 'Posted on'])
    expect(described(json(account), byline).author, account).toBe('Ada Lowell');
  expect(described(json('ada1984')).author).toBe('ada1984');
});

test('a day is found past no-break spaces, in Arabic, and last in scripts and the name of the image', () => {
  const dated = (text: string) => described('', `<h1>The river rose</h1><p>${text}</p>${PROSE}`).published;
  expect(dated('Wiesbaden, 11. November&nbsp;2021&nbsp;')).toBe('2021-11-11');
  expect(dated('الأربعاء، 07 أكتوبر 2020')).toBe('2020-10-07');
  const script = '<script>window.state = {"title":"x","publishedAt":"2022-01-31T15:58:43+01:00"}</script>';
  expect(described(script)).toMatchObject({
    published: '2022-01-31T15:58:43+01:00',
    sources: { published: 'script' },
  });
  const image = '<meta property="og:image" content="https://i.example/large/20201007120909561.jpg">';
  expect(described(image)).toMatchObject({ published: '2020-10-07', sources: { published: 'url' } });
  expect(described(image + script).published).toBe('2022-01-31T15:58:43+01:00');
});

test('the title is what the page shows of it: without its permalink, whole, and not a headline of something else', () => {
  expect(
    described(
      '<title>The river — docs</title>',
      `<h1>The river<a class=headerlink href="#r">¶</a></h1>${PROSE}`,
    ).title,
  ).toBe('The river');
  const parts = `<h1>The river at night:</h1><h2>It rose by two metres</h2>${PROSE}`;
  expect(
    described('<meta property="og:title" content="The river at night: It rose by two metres">', parts).title,
  ).toBe('The river at night: It rose by two metres');
  const other = `<p>The river rose</p><h1>Navigation menu</h1>${PROSE}`;
  expect(described('<meta property="og:title" content="The river rose">', other).title).toBe(
    'The river rose',
  );
});

test('a headline that begins with the name of the site is the whole title', () => {
  const headline = 'A year of River News – all stories as a book';
  const head = `<meta property="og:title" content="${headline}"><meta property="og:site_name" content="River News">`;
  expect(described(head, `<h1>${headline}</h1>${PROSE}`).title).toBe(headline);
});

test('a byline is found in the text and in the elements after its first word', () => {
  const authorOf = (byline: string) => described('', `<h1>The river rose</h1>${byline}${PROSE}`).author;
  for (const byline of [
    '<p>By Ada Lowell</p>',
    '<div>Von <strong><a href="https://ada.example">Ada Lowell</a></strong></div>',
    '<p><em>Text von Ada Lowell · Fotos von Ben Marsh</em></p>',
    '<span>par</span> <span>Ada Lowell</span>, 3 mai 2019',
  ])
    expect(authorOf(byline), byline).toBe('Ada Lowell');
  expect(authorOf('<p>Von <b>Ada Lowell</b> und <b>Ben Marsh</b></p><p>Oslo.</p>')).toBe(
    'Ada Lowell; Ben Marsh',
  );
  expect(authorOf('<p>By the river, people waited.</p>')).toBeUndefined();
  expect(authorOf('<p>作者：王小明 李大海 编辑：张三</p>')).toBe('王小明; 李大海');
  expect(described('', `<h1>The river rose</h1>${PROSE}<p>（责任编辑：张小三）</p>`).author).toBe('张小三');
});

test('a link names the author if its address does, on this site', () => {
  const authorOf = (href: string, text: string) =>
    described(
      '',
      `<h1>The river rose</h1>${PROSE}<p>More: <a href="${href}">${text}</a> wrote it all down.</p>`,
    ).author;
  expect(authorOf('/users/12/ada-lowell', 'Ada Lowell')).toBe('Ada Lowell');
  expect(authorOf('/autor/lowell', 'Alles von Ada Lowell')).toBe('Ada Lowell');
  for (const [href, text] of [
    ['/user-agreement', 'User Agreement'],
    ['/autor/12', 'alle Texte'],
    ['/users/sign_in', 'Log In'],
    ['https://www.youtube.com/user/adalowell', 'Ada Lowell'],
  ])
    expect(authorOf(href, text), href).toBeUndefined();
});

test('an author is no weekday, no site and no place of the site', () => {
  const head = (author: string) =>
    `<meta property="og:site_name" content="The River News"><meta name=author content="${author}">`;
  expect(described(head('Ada Lowell » Fri 25 March 2016, 20:18')).author).toBe('Ada Lowell');
  const byline = `<h1>The river rose</h1><p class=author>Text and photos: Ada Lowell</p>${PROSE}`;
  for (const site of ['The River News', 'The River News, Bern, Switzerland'])
    expect(described(head(site), byline).author, site).toBe('Ada Lowell');
});

test('JSON-LD that is no JSON still gives its day, headline and author', () => {
  const broken =
    '{"@context":"x","@type":"NewsArticle","description":"he said "no"","datePublished":"2019-10-31","author":{"@type":"Person","name":"Ada Lowell"}}';
  expect(described(`<script type="application/ld+json">${broken}</script>`)).toMatchObject({
    published: '2019-10-31',
    author: 'Ada Lowell',
  });
});

test('the day of a video, of a change or of today is not the day of publication', () => {
  const video =
    '<script type="application/ld+json">{"@type":"VideoObject","name":"A film","uploadDate":"2015-01-16"}</script>';
  const published = '<meta property="article:published_time" content="2017-12-01">';
  expect(described(video + published).published).toBe('2017-12-01');
  expect(described(video).published).toBe('2015-01-16');
  const times =
    '<time class="updated" datetime="2019-02-12">12 February 2019</time> <time class="entry-date published" datetime="2019-02-10">10 February 2019</time>';
  expect(described('', `<h1>The river rose</h1>${times}${PROSE}`)).toMatchObject({
    published: '2019-02-10',
    modified: '2019-02-12',
  });
  const shown = '<time datetime="2019-07-03T10:18:46Z">Publié le 29 juin 2019</time>';
  expect(described('', `<h1>The river rose</h1>${shown}${PROSE}`).published).toBe('2019-06-29');
  const changed = '<p>Zuletzt geändert am 5. Mai 2020. Erschienen am 3. Mai 2019.</p>';
  expect(described('', `<h1>The river rose</h1>${changed}${PROSE}`)).toMatchObject({
    published: '2019-05-03',
    modified: '2020-05-05',
  });
});

test('a whole day is better than a month', () => {
  const dates =
    '<meta name=citation_publication_date content="2017/01"><meta name=citation_online_date content="2017/01/30">';
  expect(described(dates).published).toBe('2017-01-30');
});

test('a title that was cut for its length is completed, and one that is the name of the site comes last', () => {
  const long = `The council decides after a long debate that ${'the ferry to the island '.repeat(4)}sails again`;
  const cut = (text: string) => `<meta property="og:title" content="${text}"><title>${long}</title>`;
  const body = `<h1>Floods</h1>${PROSE}`;
  expect(described(cut(`${long.slice(0, 60)}…`), body).title).toBe(long);
  expect(described(cut(long.slice(0, 110)), body).title).toBe(long);
  const site =
    '<meta property="og:site_name" content="River News"><meta property="og:title" content="River News">';
  expect(described(`${site}<title>Floods of May</title>`, PROSE).title).toBe('Floods of May');
  expect(described('<title>The river</title>', `<h1>» The river rose again</h1>${PROSE}`).title).toBe(
    'The river rose again',
  );
});

test('tens of thousands of bylines cost little', () => {
  const bylines = '<p class=author>By <a href=/author/ada>Ada Lowell</a></p>'.repeat(60_000);
  expect(described('', `<h1>The river rose</h1>${bylines}`).author).toContain('Ada Lowell');
});
