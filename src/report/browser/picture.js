// The picture of a site: a thin bar per page, shortest first, templates as coloured stretches.
//
// A canvas as large as the window of the scroller draws only the bars in view, so that fifteen hundred
// pages of a hundred stretches each scroll smoothly at any zoom.

import { element, formatBytes } from './format.js';

const AXIS_HEIGHT = 22;
const VIEW_HEIGHT = 520;
const STILL_WIDTH = 640;
const STILL_HEIGHT = 240;
const TALLEST_BAR = 14;
const ZOOM_STEP = 1.6;
const MIN_STRETCH = 0.7; // pixels: even a word's worth of template leaves a speck

export class Picture {
  // isStill: for paper, of one size wherever it stands, and hears nothing
  constructor(root, { onHover, onSelect, isStill = false }) {
    this.onHover = onHover;
    this.onSelect = onSelect;
    this.isStill = isStill;
    this.viewHeight = isStill ? STILL_HEIGHT : VIEW_HEIGHT;
    this.canvas = element('canvas');
    this.spacer = element('div', { className: 'spacer' });
    this.scroller = element(
      'div',
      { className: 'picture', tabIndex: 0, role: 'application' },
      this.canvas,
      this.spacer,
    );
    this.scroller.setAttribute('aria-roledescription', 'picture of pages');
    root.append(this.scroller);
    if (isStill) return;
    this.scroller.addEventListener('scroll', () => {
      if (this.hovered !== null) this.#hover(null);
      else this.draw();
    });
    // a tip that stays where its bar no longer is would lie
    addEventListener('scroll', () => this.hovered !== null && this.#hover(null), { passive: true });
    this.scroller.addEventListener('pointermove', (event) => this.#point(event));
    this.scroller.addEventListener('pointerleave', () => this.#hover(null));
    this.scroller.addEventListener('click', (event) => {
      this.#point(event);
      this.#select();
    });
    this.scroller.addEventListener('keydown', (event) => this.#key(event));
    this.scroller.addEventListener('blur', () => this.#hover(null));
    new ResizeObserver(() => this.layout()).observe(this.scroller);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.layout());
    addEventListener('beforeprint', () => this.#print(true));
    addEventListener('afterprint', () => this.#print(false));
  }

  // site: { pages, bounds }, picture: { ranges, templates }
  show(site, picture) {
    this.site = site;
    this.picture = picture;
    this.bars = [];
    site.pages.forEach((page, at) => {
      const flat = picture.ranges[at];
      if (flat === null) return;
      const stretches = [];
      for (let i = 0, position = 0; i < flat.length; i += 3) {
        const start = position + flat[i];
        position = start + flat[i + 1];
        stretches.push({ start, end: position, template: flat[i + 2] });
      }
      this.bars.push({ page, sizeBytes: page[3], stretches });
    });
    this.classes = picture.templates.map(([pages]) => classOf(pages, site.bounds));
    const sizes = this.bars.map((bar) => bar.sizeBytes);
    this.longest = Math.max(1, sizes.at(-1) ?? 1);
    this.usual = Math.max(1, sizes[Math.floor(0.95 * (sizes.length - 1))] ?? 1);
    this.hovered = null;
    this.selected = null;
    this.cursor = null;
    this.scroller.scrollTop = 0;
    this.pitch = this.fittingPitch;
  }

  // one page much longer than the rest would press them all against the left edge
  get hasOutliers() {
    return this.longest > 3 * this.usual;
  }

  setScale(cut) {
    this.scale = cut ? 1.25 * this.usual : this.longest;
    this.layout();
  }

  // bars as tall as lets all of them be seen at once
  get fittingPitch() {
    return Math.min(TALLEST_BAR, this.viewHeight / Math.max(1, this.bars.length));
  }

  zoomBy(steps) {
    // what is in the middle of the view stays there
    const middle = (this.scroller.scrollTop + VIEW_HEIGHT / 2) / this.pitch;
    const wanted = this.pitch * ZOOM_STEP ** steps;
    this.setPitch(Math.min(TALLEST_BAR, Math.max(this.fittingPitch, wanted)));
    this.scroller.scrollTop = middle * this.pitch - VIEW_HEIGHT / 2;
    this.draw();
  }

  setPitch(pitch) {
    // whole pixels above 1.5, so that every bar is as tall as its neighbour
    this.pitch = pitch > 1.5 && pitch > this.fittingPitch ? Math.round(pitch) : pitch;
    this.layout();
  }

  layout() {
    if (this.bars === undefined || this.scale === undefined) return;
    this.gap = this.pitch >= 9 ? 2 : this.pitch >= 4 ? 1 : 0;
    const contentHeight = Math.ceil(this.bars.length * this.pitch) + AXIS_HEIGHT + 4;
    const height = Math.min(this.viewHeight + AXIS_HEIGHT + 4, contentHeight);
    const width = this.isStill ? STILL_WIDTH : this.scroller.clientWidth;
    // what is drawn for a screen is wider than a sheet
    const isOnPaper = this.isStill || this.isPrinting;
    this.scroller.style.height = isOnPaper ? 'auto' : `${height}px`;
    this.width = width;
    this.height = height;
    this.spacer.style.height = `${contentHeight - height}px`;
    const ratio = this.isStill ? 2 : Math.min(3, devicePixelRatio || 1);
    this.ratio = ratio;
    this.canvas.style.width = isOnPaper ? '100%' : `${width}px`;
    this.canvas.style.height = isOnPaper ? 'auto' : `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context = this.canvas.getContext('2d');
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    this.colours = {
      classes: [0, 1, 2, 3, 4, 5].map((at) => colour(`--f${at}`)),
      content: colour('--content'),
      unsure: colour('--unsure'),
      ink: colour('--ink'),
      soft: colour('--soft'),
      line: colour('--line'),
      paper: colour('--card'),
      ground: colour('--ground'),
    };
    this.draw();
  }

  draw() {
    const { context, width, height } = this;
    if (context === undefined) return;
    context.clearRect(0, 0, width, height);
    context.fillStyle = this.colours.ground;
    context.fillRect(0, AXIS_HEIGHT, width, height - AXIS_HEIGHT);
    const top = this.scroller.scrollTop;
    const first = Math.max(0, Math.floor(top / this.pitch));
    const last = Math.min(this.bars.length, Math.ceil((top + height) / this.pitch) + 1);
    const perByte = (width - 2) / this.scale;
    // where several bars fall on one line of pixels, one of them stands for all
    const step = Math.max(1, Math.floor(1 / (this.pitch * this.ratio)));
    // on paper bars are not pixels: without an overlap white would show between them
    const overlap = this.isStill && this.gap === 0 ? 0.5 : 0;
    for (let at = first - (first % step); at < last; at += step) {
      const y = this.#snap(AXIS_HEIGHT + at * this.pitch - top);
      const below = this.#snap(AXIS_HEIGHT + (at + step) * this.pitch - top);
      this.#drawBar(this.bars[at], y, Math.max(1 / this.ratio, below - y - this.gap) + overlap, perByte);
    }
    context.globalAlpha = 1;
    this.#drawAxis(perByte);
    this.#drawHovered(perByte, top, this.pitch - this.gap);
  }

  // edges between pixels would blur into their neighbours
  #snap(y) {
    return Math.round(y * this.ratio) / this.ratio;
  }

  #drawBar(bar, y, barHeight, perByte) {
    const { context, colours, width, selected } = this;
    context.globalAlpha = selected === null ? 1 : 0.45;
    context.fillStyle = colours.content;
    context.fillRect(0, y, Math.max(1, Math.min(width, bar.sizeBytes * perByte)), barHeight);
    for (const { start, end, template } of bar.stretches) {
      const x = start * perByte;
      if (x > width) break;
      context.globalAlpha = selected === null || template === selected ? 1 : 0.22;
      context.fillStyle = this.#colourOf(template);
      const drawnWidth = Math.max(MIN_STRETCH, Math.min((end - start) * perByte, width - x));
      context.fillRect(x, y, drawnWidth, barHeight);
    }
    // a notch where the bar was cut off
    if (bar.sizeBytes * perByte > width) {
      context.globalAlpha = 1;
      context.fillStyle = colours.ink;
      context.fillRect(width - 3, y, 2, barHeight);
    }
  }

  #colourOf(template) {
    if (template >= 0) return this.colours.classes[this.classes[template]];
    return template === -1 ? this.colours.unsure : this.colours.classes[0];
  }

  #drawAxis(perByte) {
    const { context, colours, width } = this;
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, width, AXIS_HEIGHT - 2);
    // a picture of the screen's width is made smaller on paper, its letters too
    const letterSize = this.isPrinting ? 16 : 11;
    context.font = `${letterSize}px system-ui, sans-serif`;
    context.textBaseline = 'middle';
    context.fillStyle = colours.soft;
    context.strokeStyle = colours.line;
    const step = niceStep(this.scale / Math.max(2, width / (10 * letterSize)));
    for (let bytes = 0; bytes <= this.scale; bytes += step) {
      const x = Math.round(bytes * perByte) + 0.5;
      context.beginPath();
      context.moveTo(x, AXIS_HEIGHT - 7);
      context.lineTo(x, AXIS_HEIGHT - 2);
      context.stroke();
      const label = bytes === 0 ? '0' : formatBytes(bytes).replace('.0', '');
      const labelWidth = context.measureText(label).width;
      if (x + labelWidth + 6 < width) context.fillText(label, x + 4, AXIS_HEIGHT / 2 - 2);
    }
  }

  #drawHovered(perByte, top, barHeight) {
    const at = this.hovered ?? this.cursor;
    if (at === null) return;
    const bar = this.bars[at.bar];
    const [start, end] =
      at.stretch === null
        ? [0, bar.sizeBytes]
        : [bar.stretches[at.stretch].start, bar.stretches[at.stretch].end];
    const { context, colours, width } = this;
    const x = start * perByte;
    const y = AXIS_HEIGHT + at.bar * this.pitch - top;
    context.strokeStyle = colours.ink;
    context.lineWidth = 1.5;
    context.strokeRect(
      x - 0.75,
      y - 0.75,
      Math.max(3, Math.min(end * perByte, width - 1) - x) + 1.5,
      Math.max(3, barHeight) + 1.5,
    );
    context.lineWidth = 1;
  }

  // the bar and stretch under a point of the scroller; stretch null is content
  #at(x, y) {
    const row = Math.floor((y - AXIS_HEIGHT + this.scroller.scrollTop) / this.pitch);
    if (y < AXIS_HEIGHT - 2 || row < 0 || row >= this.bars.length) return null;
    const perByte = (this.width - 2) / this.scale;
    const { stretches, sizeBytes } = this.bars[row];
    if (x > sizeBytes * perByte + 12) return null;
    // a stretch may be drawn wider than it is: take the nearest within two pixels
    let stretch = null;
    let nearest = 2;
    stretches.forEach(({ start, end }, index) => {
      const distance = Math.max(0, start * perByte - x, x - end * perByte);
      if (distance < nearest) {
        nearest = distance;
        stretch = index;
      }
    });
    return { bar: row, stretch };
  }

  #point(event) {
    const box = this.scroller.getBoundingClientRect();
    this.cursor = null;
    this.#hover(this.#at(event.clientX - box.left, event.clientY - box.top), event.clientX, event.clientY);
  }

  #hover(at, x, y) {
    this.hovered = at;
    this.scroller.classList.toggle('over', at !== null && at.stretch !== null);
    this.draw();
    this.onHover(this.#describe(at), x, y);
  }

  #select() {
    const at = this.hovered ?? this.cursor;
    const template =
      at === null || at.stretch === null ? null : this.bars[at.bar].stretches[at.stretch].template;
    const isTemplate = template !== null && template >= 0;
    this.onSelect(isTemplate ? template : null, at === null || isTemplate ? null : this.bars[at.bar].page);
  }

  #describe(at) {
    if (at === null) return null;
    const bar = this.bars[at.bar];
    const stretch = at.stretch === null ? null : bar.stretches[at.stretch];
    return { page: bar.page, stretch };
  }

  setSelected(template) {
    this.selected = template;
    this.draw();
  }

  // arrows walk over pages and stretches, Enter picks, Escape lets go
  #key(event) {
    if (event.key === 'Enter' || event.key === ' ') {
      this.#select();
    } else if (event.key === 'Escape') {
      this.onSelect(null);
      this.cursor = null;
      this.#hover(null);
    } else if (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End') {
      this.#moveCursor(event.key);
    } else {
      return;
    }
    event.preventDefault();
  }

  #moveCursor(key) {
    const { bars } = this;
    if (bars.length === 0) return;
    const was = this.cursor ?? this.hovered;
    let bar = was === null ? 0 : was.bar;
    let stretch = was === null ? null : was.stretch;
    if (was !== null && key === 'ArrowDown') bar = Math.min(bars.length - 1, bar + 1);
    if (was !== null && key === 'ArrowUp') bar = Math.max(0, bar - 1);
    if (key === 'Home') bar = 0;
    if (key === 'End') bar = bars.length - 1;
    const count = bars[bar].stretches.length;
    if (key === 'ArrowRight') stretch = stretch === null ? 0 : stretch + 1;
    if (key === 'ArrowLeft') stretch = stretch === null ? 0 : stretch - 1;
    stretch =
      count === 0 || stretch === null ? (count === 0 ? null : 0) : Math.max(0, Math.min(count - 1, stretch));
    this.hovered = null;
    this.cursor = { bar, stretch };
    const y = bar * this.pitch;
    const view = this.height - AXIS_HEIGHT;
    if (y < this.scroller.scrollTop) this.scroller.scrollTop = y;
    else if (y + 2 * this.pitch > this.scroller.scrollTop + view)
      this.scroller.scrollTop = y + 2 * this.pitch - view;
    this.draw();
    const box = this.scroller.getBoundingClientRect();
    const perByte = (this.width - 2) / this.scale;
    const start = stretch === null ? 0 : bars[bar].stretches[stretch].start;
    this.onHover(
      this.#describe(this.cursor),
      box.left + Math.min(this.width, start * perByte),
      box.top + AXIS_HEIGHT + (bar + 1) * this.pitch - this.scroller.scrollTop,
    );
  }

  #print(printing) {
    if (!this.scroller.isConnected) return;
    if (printing) this.pitchOnScreen = this.pitch;
    this.pitch = printing ? this.fittingPitch : this.pitchOnScreen;
    this.isPrinting = printing;
    this.layout();
  }
}

export function classOf(pages, bounds) {
  let at = 0;
  while (at < bounds.length && pages >= bounds[at]) at++;
  return at;
}

// 1, 2 or 5 times a power of ten
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
