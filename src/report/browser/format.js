// Numbers and elements, the same way everywhere.

export const formatCount = (count) => count.toLocaleString('en');

export function formatBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(unit === 0 || value >= 99.5 ? 0 : 1)}\u00a0${units[unit]}`;
}

export function formatTimes(first, last) {
  const days = [first.slice(0, 10), last.slice(0, 10)].filter((day) => day !== '');
  return [...new Set(days)].join('\u2009–\u2009');
}

// An element with properties and children; strings become text, never markup.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
