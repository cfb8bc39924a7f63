/** A list of pages, each a link to its view. */
import type { PageRow } from '../../../store/explore/page-lists.ts';
import { formatBytes, formatDay } from '../format.ts';
import { Link } from '../router.tsx';
import { ShareBar } from './share-bar.tsx';
import { type Column, Table } from './table.tsx';

const COLUMNS: Column<PageRow>[] = [
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
  { key: 'share', title: 'Template text', numeric: true, cell: ({ share }) => <ShareBar share={share} /> },
  { key: 'problems', title: 'Problems', cell: ({ problems }) => problems },
];

/** Shows a list of pages. */
export function PageTable({ rows, short = false }: { rows: PageRow[]; short?: boolean }) {
  return (
    <Table
      caption="Pages"
      columns={short ? COLUMNS.slice(0, 1) : COLUMNS}
      rows={rows}
      rowKey={({ page }) => page}
    />
  );
}
