// Figures as files: SVG with the colours it is shown in, PNG, and the data as CSV.

const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
];
const PIXELS = 2;

function standalone(svg) {
  const copy = svg.cloneNode(true);
  const all = [svg, ...svg.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((node, at) => {
    const style = getComputedStyle(all[at]);
    for (const name of PROPERTIES) node.setAttribute(name, style.getPropertyValue(name));
    node.removeAttribute('class');
    node.removeAttribute('style');
  });
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', Math.round(width));
  copy.setAttribute('height', Math.round(height));
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({
    x: '-5000',
    y: '-5000',
    width: '20000',
    height: '20000',
    fill: getComputedStyle(document.documentElement).getPropertyValue('--card').trim(),
  }))
    paper.setAttribute(name, value);
  copy.prepend(paper);
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

function download(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function savePng({ text, width, height }, name) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * PIXELS);
    canvas.height = Math.round(height * PIXELS);
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => download(blob, `${name}.png`));
    URL.revokeObjectURL(address);
  };
  image.src = address;
}

// Buttons that save a figure. `draw` gives an SVG as text with its size, `csv` gives the data, where it is not a file beside the report.
export function saveButtons(name, { draw, csv }) {
  const buttons = document.createElement('span');
  buttons.className = 'save';
  const add = (kind, save) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = kind;
    button.setAttribute('aria-label', `Save ${name} as ${kind}`);
    button.addEventListener('click', save);
    buttons.append(button);
  };
  add('SVG', () => download(new Blob([draw().text], { type: 'image/svg+xml' }), `${name}.svg`));
  add('PNG', () => savePng(draw(), name));
  if (csv) add('CSV', () => download(new Blob([csv()], { type: 'text/csv' }), `${name}.csv`));
  return buttons;
}

// `csvOf` gives the data of figures that do not carry it themselves
export function addSaveButtons(figures, csvOf) {
  for (const figure of figures) {
    const svg = figure.querySelector('svg');
    if (svg === null) continue;
    const { save, csv } = figure.dataset;
    const data = csv === undefined ? csvOf : () => csv;
    figure.append(saveButtons(save, { draw: () => standalone(svg), csv: data && (() => data(figure)) }));
  }
}

addSaveButtons(document.querySelectorAll('figure[data-save]:not(.strip-figure)'));
