/** Controls for the site and the detector of a view. */
import type { SiteRow } from '../../../store/explore/site-rows.ts';
import { navigate } from '../router.tsx';
import { useApi } from '../use-api.ts';
import type { ViewProps } from '../views/view.ts';

/** Returns the site in the URL, else the one with the most pages. */
export function useSite({ params }: ViewProps): { site: string | undefined; sites: SiteRow[] } {
  const { data = [] } = useApi<SiteRow[]>('sites');
  return { site: params.site || data[0]?.site, sites: data };
}

/** Shows a choice of sites. */
export function SitePicker({
  view,
  params,
  site,
  sites,
  all = false,
}: {
  view: string;
  params: Record<string, string>;
  site: string;
  sites: SiteRow[];
  /** Whether "all sites" can be chosen. */
  all?: boolean;
}) {
  return (
    <label>
      Site
      <select
        value={site}
        onChange={(event) => navigate(view, { ...kept(params), site: event.currentTarget.value })}
      >
        {all && <option value="">all sites</option>}
        {sites.every((row) => row.site !== site) && site !== '' && <option value={site}>{site}</option>}
        {sites.slice(0, 2000).map((row) => (
          <option key={row.site} value={row.site}>
            {row.site}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Parameters that are kept for another site. */
function kept({ detector = '', order = '', colour = '', sort = '', relation = '' }: Record<string, string>) {
  return { detector, order, colour, sort, relation };
}

/** Shows a choice of the detectors that ran. */
export function DetectorPicker({
  detectors,
  detector,
  onPick,
}: {
  detectors: string[];
  detector: string;
  onPick: (detector: string) => void;
}) {
  if (detectors.length < 2) return null;
  return (
    <label>
      Detector
      <select value={detector} onChange={(event) => onPick(event.currentTarget.value)}>
        {detectors.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
