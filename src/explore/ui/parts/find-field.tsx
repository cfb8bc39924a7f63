/** The field of a list's controls that filters its rows by text. */
interface FindFieldProps {
  value: string;
  /** What it searches in. */
  placeholder: string;
  onFind: (text: string) => void;
}

/** Shows a search field; every key pressed filters. */
export function FindField({ value, placeholder, onFind }: FindFieldProps) {
  return (
    <label>
      Find
      <input
        type="search"
        value={value}
        placeholder={placeholder}
        onInput={(event) => onFind(event.currentTarget.value)}
      />
    </label>
  );
}
