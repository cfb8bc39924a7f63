/** The agreement of two people on the blocks that both have marked. */
import type { Agreement, Kappa, LabelFolderAnswer, Mark } from '../../page-answers.ts';
import { countOf, formatCount, formatPercent, formatTime } from '../format.ts';
import { Failure, Notice } from '../parts/notice.tsx';
import { OutsideLink } from '../parts/outside-link.tsx';
import { Link } from '../router.tsx';
import { apiPath, useApi } from '../use-api.ts';

const MARKS: Mark[] = ['content', 'template', 'slot', 'comment'];

interface AgreementProps {
  annotator: string;
  other: string;
  folder: LabelFolderAnswer;
  onOther: (name: string) => void;
}

/** Shows kappa and the differences between two people. */
export function AgreementOf({ annotator, other, folder, onOther }: AgreementProps) {
  const others = folder.annotators.filter((name) => name !== annotator);
  const chosen = others.includes(other) ? other : (others[0] ?? '');
  const { data, error } = useApi<Agreement>(
    chosen === '' ? null : apiPath('labels/agreement', { first: annotator, second: chosen }),
  );
  if (chosen === '') {
    return (
      <Notice>
        Nobody else has labelled pages of this folder. A second person enters another name above.
      </Notice>
    );
  }
  if (error) return <Failure message={error} />;
  return (
    <section aria-label="Agreement">
      <p class="controls">
        <label>
          Agreement of {annotator} with
          <select value={chosen} onChange={(event) => onOther(event.currentTarget.value)}>
            {others.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </p>
      {data && data.byBlock.units === 0 && <Notice>There is no block that both have marked.</Notice>}
      {data && data.byBlock.units > 0 && <Figures agreement={data} first={annotator} second={chosen} />}
    </section>
  );
}

function Figures({ agreement, first, second }: { agreement: Agreement; first: string; second: string }) {
  const { byBlock, byCharacter, confusion, differences, pages } = agreement;
  return (
    <>
      <dl class="figures">
        <Figure name="Cohen’s kappa, each block once" kappa={byBlock} noun="block" />
        <Figure name="Cohen’s kappa, by characters of text" kappa={byCharacter} noun="character" />
      </dl>
      <h2>
        Blocks of {countOf(pages, 'page')}: {first} in rows, {second} in columns
      </h2>
      <table>
        <caption>Blocks by the marks of both</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {MARKS.map((mark) => (
              <th key={mark} scope="col" class="number">
                {mark}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {MARKS.map((mark) => (
            <tr key={mark}>
              <th scope="row">{mark}</th>
              {MARKS.map((column) => (
                <td key={column} class="number">
                  {formatCount(confusion[mark][column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length > 0 && (
        <>
          <h2>Where they differ</h2>
          <ul>
            {differences.map(({ page, site, url, time, blocks, characters }) => (
              <li key={`${url} ${time}`}>
                {page === undefined ? (
                  <OutsideLink url={url} />
                ) : (
                  <Link view="label" params={{ site, who: first, page: String(page) }}>
                    {url}
                  </Link>
                )}{' '}
                <span class="quiet">
                  {formatTime(time)} · {countOf(blocks, 'block')}, {countOf(characters, 'character')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Figure({
  name,
  kappa: { kappa, observed, units },
  noun,
}: {
  name: string;
  kappa: Kappa;
  noun: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{kappa === null ? '–' : kappa.toFixed(2)}</strong>{' '}
        <span class="quiet">
          {formatPercent(observed)} of {countOf(units, noun)} alike
          {kappa === null && '; not defined, as both used one mark only'}
        </span>
      </dd>
    </div>
  );
}
