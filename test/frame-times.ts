/** Times of the frames of the template map while it is scrolled, zoomed and pointed at, one step a frame. */
import type { Page } from 'playwright-core';

const STEPS: Record<string, string> = {
  'scrolling the whole site': 'wheel({ deltaY: 40 })',
  'zooming in': 'wheel({ deltaY: -12, ctrlKey: true })',
  'scrolling zoomed in': 'wheel({ deltaY: 60 })',
  'zooming out': 'wheel({ deltaY: 12, ctrlKey: true })',
  pointing: 'move(k)',
};
const FRAMES = 120;

export interface FrameTimes {
  name: string;
  /** Milliseconds from frame to frame, and those of them that drawing took. */
  gaps: number[];
  draws: number[];
}

/** Of a page that shows the map. */
export async function measureFrames(page: Page): Promise<FrameTimes[]> {
  const times: FrameTimes[] = [];
  for (const [name, step] of Object.entries(STEPS)) times.push({ name, ...(await measure(page, step)) });
  return times;
}

function measure(page: Page, step: string): Promise<Omit<FrameTimes, 'name'>> {
  return page.evaluate(`new Promise((done) => {
    const canvas = document.querySelector('.map-canvas');
    const box = canvas.getBoundingClientRect();
    const at = { clientX: box.x + 200, clientY: box.y + 300, bubbles: true, cancelable: true };
    const wheel = (more) => canvas.dispatchEvent(new WheelEvent('wheel', { ...at, ...more }));
    const move = (k) => canvas.dispatchEvent(new PointerEvent('pointermove', { ...at, clientY: box.y + 5 * k % box.height }));
    const gaps = [], draws = [];
    let last = performance.now(), k = 0;
    const tick = (now) => {
      if (k > 0) gaps.push(now - last);
      draws.push(Number(canvas.dataset.drawMs));
      last = now;
      if (k++ === ${FRAMES}) return done({ gaps, draws });
      ${step};
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })`);
}
