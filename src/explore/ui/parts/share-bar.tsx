/** A share as a number and a bar beside it. */
import { formatPercent } from '../format.ts';

/** Shows a share (0 to 1) in per cent and as a bar. */
export function ShareBar({ share }: { share: number }) {
  return (
    <span class="share">
      <span class="share-track" aria-hidden="true">
        <span class="share-fill" style={{ width: `${100 * share}%` }} />
      </span>
      {formatPercent(share)}
    </span>
  );
}
