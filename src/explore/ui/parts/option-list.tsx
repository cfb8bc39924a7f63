/** A list with one chosen entry: arrow keys, Home and End move the choice, and the entry scrolls into view. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface OptionListProps {
  label: string;
  count: number;
  /** Index of the chosen entry; -1 for none. */
  chosen: number;
  onChoose: (index: number) => void;
  option: (index: number) => ComponentChildren;
  /** Returns whether an entry belongs to the choice as well. */
  isWithin?: (index: number) => boolean;
  /** Receives the element, so that a caller can move the focus to it. */
  listRef?: { current: HTMLUListElement | null };
}

/** Shows a list with one chosen entry. */
export function OptionList({ label, count, chosen, onChoose, option, isWithin, listRef }: OptionListProps) {
  const own = useRef<HTMLUListElement>(null);
  const list = listRef ?? own;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: chosen + 1,
      ArrowUp: Math.max(0, chosen - 1),
      Home: 0,
      End: count - 1,
    };
    const next = moves[event.key];
    if (next === undefined || next < 0 || next >= count) return;
    event.preventDefault();
    event.stopPropagation();
    onChoose(next);
  };
  const id = (index: number) => `${label.replace(/\W+/g, '-')}-${index}`;
  return (
    <ul
      ref={list}
      class="option-list"
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a listbox as the ARIA patterns have it
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={chosen >= 0 && chosen < count ? id(chosen) : undefined}
      onKeyDown={onKeyDown}
    >
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys
        <li
          key={index}
          id={id(index)}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
          role="option"
          class={isWithin?.(index) ? 'within' : undefined}
          aria-selected={index === chosen}
          onClick={() => onChoose(index)}
          tabIndex={-1}
        >
          {option(index)}
        </li>
      ))}
    </ul>
  );
}
