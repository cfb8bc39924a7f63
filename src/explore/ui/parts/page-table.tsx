/** A list of pages, each a link to its view. */
import type { PageListRow } from '../../../store/explore/page-lists.ts';
import { formatBytes, formatDay } from '../format.ts';
import { Link } from '../router.tsx';
import { OutsideLink } from './outside-link.tsx';
import { ShareBar } from './share-bar.tsx';
import { type Column, Table } from './table.tsx';

const COLUMNS: Column<PageListRow>[] = [
  {
    key: 'title',
    title: 'Page',
    cell: ({ page, title, url }) => (
      <>
        <Link view="page" params={{ page: String(page) }}>
          {title || url}
        </Link>
        {title !== '' && <div class="quiet url small">{url}</div>}
      </>
    ),
  },
  { key: 'time', title: 'Captured', cell: ({ time }) => <span class="day">{formatDay(time)}</span> },
  { key: 'html', title: 'HTML', numeric: true, cell: ({ htmlBytes }) => formatBytes(htmlBytes) },
  { key: 'share', title: 'Repeated text', numeric: true, cell: ({ share }) => <ShareBar share={share} /> },
  { key: 'problems', title: 'Problems', cell: ({ problems }) => problems },
];

/** Columns of pages of a folder of fragments, which has no verdicts and so no view of a page. */
const FRAGMENT_COLUMNS: Column<PageListRow>[] = [
  { key: 'url', title: 'Page', cell: ({ url }) => <OutsideLink url={url} /> },
  ...COLUMNS.filter(({ key }) => key === 'time' || key === 'html'),
  {
    key: 'share',
    title: 'In shared fragments',
    numeric: true,
    cell: ({ share }) => <ShareBar share={share} />,
  },
];

interface PageTableProps {
  rows: PageListRow[];
  /** Whether only the title and URL are shown. */
  short?: boolean;
  /** Whether the folder has verdicts. */
  hasVerdicts?: boolean;
}

/** Shows a list of pages. */
export function PageTable({ rows, short = false, hasVerdicts = true }: PageTableProps) {
  return (
    <Table
      caption="Pages"
      columns={short ? COLUMNS.slice(0, 1) : hasVerdicts ? COLUMNS : FRAGMENT_COLUMNS}
      rows={rows}
      rowKey={({ page }) => page}
    />
  );
}
