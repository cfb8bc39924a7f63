/**
 * The files that a site owner needs besides the pages to serve them: a configuration for the server or the
 * site generator, and a README. Only plain host names go into a configuration.
 */
import { TextDecoder } from '@exodus/bytes/encoding.js';
import type { IncludeStyle } from './include-syntax.ts';

/**
 * Returns names and texts of the files of a style, for some hosts and the charsets that text is converted
 * back to.
 */
export function siteFiles(
  style: IncludeStyle,
  hosts: string[],
  charsets: string[],
): [name: string, text: string][] {
  const plain = hosts.filter((host) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(host));
  if (style === 'nunjucks') {
    return [
      ['eleventy.config.cjs', ELEVENTY],
      ['charsets.json', `${JSON.stringify(Object.fromEntries(charsets.map(charactersOf)), null, 2)}\n`],
      ['README.md', readme(NUNJUCKS_README)],
    ];
  }
  const files: [string, string][] = [
    ['nginx.conf', nginx(style === 'ssi' ? 8080 : 8081)],
    ['locations.conf', locations(style === 'ssi', plain[0] ?? '_')],
    ['README.md', readme(style === 'ssi' ? SSI_README : ESI_README)],
  ];
  if (style === 'esi') files.push(['default.vcl', VCL]);
  return files;
}

/**
 * Returns all 256 characters of a charset, because not every version of Node decodes windows-1252 as browsers
 * do.
 */
function charactersOf(charset: string): [charset: string, characters: string] {
  const decoder = new TextDecoder(charset);
  const characters = Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)));
  return [charset, characters.join('')];
}

function nginx(port: number): string {
  return `# A whole configuration, to try the site at once:  nginx -p "$PWD" -c nginx.conf
# In a server of your own, include locations.conf in its server block.
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path temporary-body;
  proxy_temp_path temporary-proxy;
  fastcgi_temp_path temporary-fastcgi;
  uwsgi_temp_path temporary-uwsgi;
  scgi_temp_path temporary-scgi;
  server {
    listen 127.0.0.1:${port};
    include locations.conf;
  }
}
`;
}

function locations(ssi: boolean, host: string): string {
  const on = ssi ? 'ssi on;' : 'ssi off;';
  const off = 'ssi off;';
  const internal = ssi ? ' internal;' : '';
  return `# The folder of this file, or nginx -p.
root .;
# The folder below pages/ that is served for the site's own URLs.
set $site ${host};

types {}
default_type text/html;
charset off;${ssi ? '\nssi_silent_errors off;\nssi_value_length 1024;' : ''}

location / {
  ${on}
  try_files /pages/$site$uri /pages/$site\${uri}index.html /pages/$site$uri.html =404;
}
# Every page by the name in manifest.jsonl, those with a query too.
location /pages/ { ${on} }
location /_fragments/ { ${on}${internal} }
# Bytes that the processor must not look into.
location /_raw/ { ${off}${internal} }
`;
}

const VCL = `vcl 4.1;

# varnishd -F -a 127.0.0.1:8080 -f "$PWD/default.vcl" -n "$PWD/varnish"
# No parameter needs to be changed: includes go 4 deep, Varnish allows 5 (max_esi_depth).

backend default {
  .host = "127.0.0.1";
  .port = "8081";
}

sub vcl_recv {
  # fragments are for pages, not for visitors
  if (req.esi_level == 0 && req.url ~ "^/_(fragments|raw)/") {
    return (synth(404));
  }
}

sub vcl_backend_response {
  if (bereq.url ~ "^/_raw/") {
    set beresp.do_esi = false;
  } elsif (beresp.http.Content-Type ~ "^text/html") {
    set beresp.do_esi = true;
  }
}
`;

const ELEVENTY = `// npx @11ty/eleventy
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

module.exports = function (config) {
  config.setUseGitIgnore(false);
  config.addPassthroughCopy({ _raw: '.' });
  // pages/example.com/a.html.njk is written to _site/example.com/a.html
  config.addGlobalData('eleventyComputed', {
    permalink: () => ({ page }) => page.inputPath.replace(/^\\.\\/pages|\\.njk$/g, ''),
  });
  config.on('eleventy.after', ({ directories }) => encodePages(join(__dirname, directories?.output ?? '_site')));
  return { dir: { input: 'pages', includes: '../_includes', data: '../_data', output: '_site' } };
};

// Templates are UTF-8; pages that were served in a charset of 256 characters are brought back to it.
function encodePages(output) {
  const charsets = JSON.parse(readFileSync(join(__dirname, 'charsets.json'), 'utf8'));
  const tables = new Map(
    Object.entries(charsets).map(([charset, text]) => [charset, new Map([...text].map((c, byte) => [c, byte]))]),
  );
  for (const line of readFileSync(join(__dirname, 'manifest.jsonl'), 'utf8').split('\\n')) {
    if (line === '') continue;
    const { file, charset, whole } = JSON.parse(line);
    if (whole || !tables.has(charset)) continue;
    const path = join(output, file.replace(/^pages\\/|\\.njk$/g, ''));
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, Uint8Array.from(text, (character) => tables.get(charset).get(character)));
  }
}
`;

function readme(style: string): string {
  return `${style}
\`manifest.jsonl\` has a line for each page: its URL, its file, its charset, its bytes, and \`whole\` when the
page could not be taken apart. Pages come out byte for byte as they were served.

A page's file is named after host, path and query of its URL; what a file name cannot hold is percent-encoded,
and \`~\` marks what was added to keep names apart.
`;
}

const SSI_README = `# Server-side includes

\`pages/\` holds the pages, \`_fragments/\` what they share, \`_raw/\` bytes that look like a directive and must not
be taken for one.

Try it: \`nginx -p "$PWD" -c nginx.conf\`, then open http://127.0.0.1:8080/. In a server of your own, include
\`locations.conf\` in its \`server\` block and set \`root\` to this folder. When nginx is started as root its workers
run as another user, who must be allowed to read this folder.

Apache reads the same files with \`Options +Includes\` and \`SetOutputFilter INCLUDES\` for \`pages/\` and
\`_fragments/\`, without it for \`_raw/\`.
`;

const ESI_README = `# Edge-side includes

\`pages/\` holds the pages, \`_fragments/\` what they share, \`_raw/\` bytes that look like an ESI element, or would
hide the one after them, and must not be looked into.

Try it: \`nginx -p "$PWD" -c nginx.conf\` serves the files as they are on port 8081;
\`varnishd -F -a 127.0.0.1:8080 -f "$PWD/default.vcl" -n "$PWD/varnish"\` puts the pages together; then open
http://127.0.0.1:8080/. Any server of files can take nginx's place. ESI must be on for \`pages/\` and
\`_fragments/\` and off for \`_raw/\`.
`;

const NUNJUCKS_README = `# Nunjucks

\`pages/\` holds the pages, \`_includes/fragments/\` what they share as it is, \`_includes/partials/\` what they share
with other texts or attributes in it: a page sets these in \`f\` and the partial puts them in. \`_raw/\` holds pages
that are copied as they are.

Try it: \`npx @11ty/eleventy\` writes the site to \`_site/\`. Or with Nunjucks alone:
\`new nunjucks.Environment(new nunjucks.FileSystemLoader(['.', '_includes'])).render('pages/…')\`. Both render UTF-8;
pages that were served in another charset are brought back to it by the last step of \`eleventy.config.cjs\`.
`;
