/** The views, in the order of the list. */
import { askView } from './ask.tsx';
import { changesView } from './changes.tsx';
import { fragmentsView } from './fragments.tsx';
import { groupsView } from './groups.tsx';
import { historyView } from './history.tsx';
import { labelView } from './label.tsx';
import { mapView } from './map.tsx';
import { pageView } from './page.tsx';
import { pagesView } from './pages.tsx';
import { schemasView } from './schemas.tsx';
import { sitesView } from './sites.tsx';
import { templateView } from './template.tsx';
import { templatesView } from './templates.tsx';
import type { View } from './view.ts';

export type { Facts, View } from './view.ts';

/** All views, in the order of the list. */
export const VIEWS: View[] = [
  sitesView,
  mapView,
  templatesView,
  templateView,
  pagesView,
  pageView,
  schemasView,
  groupsView,
  fragmentsView,
  historyView,
  changesView,
  labelView,
  askView,
];
