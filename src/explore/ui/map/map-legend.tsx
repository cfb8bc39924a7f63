/** The meaning of the map's colours; a click on a template of the legend highlights it. */
import type { LegendEntry } from './map-colours.ts';

/** Shows the legend of the map. */
export function MapLegend({
  entries,
  marked,
  onMark,
}: {
  entries: readonly LegendEntry[];
  marked: string;
  onMark: (template: string) => void;
}) {
  return (
    <ul class="legend" aria-label="Colours">
      {entries.map(({ colour, label, template }) => (
        <li key={label + template}>
          <span class="swatch" style={{ background: colour }} aria-hidden="true" />
          {template ? (
            <button
              type="button"
              class="plain"
              aria-pressed={template === marked}
              onClick={() => onMark(template)}
            >
              {label}
            </button>
          ) : (
            label
          )}
        </li>
      ))}
    </ul>
  );
}
