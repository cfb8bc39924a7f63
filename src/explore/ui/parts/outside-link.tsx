/** Shows a URL from a page. Only http and https become links, without a referrer; all others are text. */
export function OutsideLink({ url, text = url }: { url: string; text?: string }) {
  if (!isWebUrl(url)) return <span class="url">{text}</span>;
  return (
    <a class="url outside" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}

/** True for http and https URLs. */
function isWebUrl(url: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}
