// The picture of a site as files: its data as CSV, and all its bars as SVG.

const WIDTH = 1000;
const HEIGHT = 520;
const EDGE = 8;

// site: { pages }, picture: { ranges, templates }
export function pictureCsv({ pages }, { ranges, templates }) {
  const rows = [['url', 'time', 'page_bytes', 'start', 'end', 'label', 'name', 'place', 'pages']];
  pages.forEach(([url, time, , sizeBytes], at) => {
    const flat = ranges[at] ?? [];
    for (let i = 0, position = 0; i < flat.length; i += 3) {
      const start = position + flat[i];
      position = start + flat[i + 1];
      const [count = '', , , , , , , name = '', place = ''] = templates[flat[i + 2]] ?? [];
      const label = flat[i + 2] === -1 ? 'unsure' : 'template';
      rows.push([url, time, sizeBytes, start, position, label, name, place, count]);
    }
  });
  return rows.map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

// as view/rows.ts: a cell that a spreadsheet would take for a formula is kept from being one
function csvCell(value) {
  if (typeof value !== 'string') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

// a path for each shade, in the colours of the screen
export function pictureSvg({ bars, classes, scale, colours }) {
  const pitch = HEIGHT / Math.max(1, bars.length);
  const perByte = (WIDTH - 2 * EDGE) / scale;
  const fixed = (value) => String(Math.round(100 * value) / 100);
  const stroke = (start, end, y) => {
    const width = Math.min(WIDTH - EDGE - start, Math.max(0.5, end - start));
    return width <= 0 ? '' : `M${fixed(start)} ${fixed(y)}h${fixed(width)}`;
  };
  const shades = colours.classes.map((colour) => ({ colour, path: '' }));
  const own = { colour: colours.content, path: '' };
  const unsure = { colour: colours.unsure, path: '' };
  bars.forEach(({ sizeBytes, stretches }, at) => {
    const y = EDGE + (at + 0.5) * pitch;
    own.path += stroke(EDGE, EDGE + sizeBytes * perByte, y);
    for (const { start, end, template } of stretches) {
      const shade = template === -1 ? unsure : shades[template < 0 ? 0 : classes[template]];
      shade.path += stroke(EDGE + start * perByte, EDGE + end * perByte, y);
    }
  });
  const paths = [own, ...shades, unsure]
    .filter(({ path }) => path !== '')
    .map(({ colour, path }) => `<path stroke="${colour}" d="${path}"/>`);
  const height = HEIGHT + 2 * EDGE;
  return {
    text: `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"><rect width="${WIDTH}" height="${height}" fill="${colours.ground}"/><g fill="none" stroke-width="${fixed(1.05 * pitch)}">${paths.join('')}</g></svg>`,
    width: WIDTH,
    height,
  };
}
