/**
 * Lists of tag names that both compilers read. Each list is one literal, because AssemblyScript does not join
 * strings at compile time.
 */

/**
 * HTML's own names, and the few of SVG and MathML that change how a page is parsed. Their ids are consecutive
 * from 2 on.
 */
export const TAG_NAMES =
  'html head body div span p a li ul ol img br td tr th table tbody thead tfoot caption col colgroup h1 h2 h3 h4 h5 h6 b i u s em strong small big tt code font strike nobr script style title meta link base noscript template textarea iframe noembed noframes xmp plaintext form input button select option optgroup label fieldset legend datalist output progress meter keygen article aside section nav header footer main address blockquote center details dialog dir dl dt dd figcaption figure hgroup menu menuitem search summary pre listing hr area embed param source track wbr basefont bgsound frame frameset applet marquee object abbr acronym audio bdi bdo blink canvas cite data del dfn ins kbd map mark picture q rb rp rt rtc ruby samp slot sub sup time var video image svg math desc foreignobject mi mo mn ms mtext annotation-xml mglyph malignmark path g use circle rect line polygon polyline ellipse defs symbol clippath lineargradient stop mask text tspan';

/** Names of elements that separate words: blocks, cells, options, br. */
export const BREAK_TAGS =
  'html body address article aside blockquote center details dialog dir div dl dt dd fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p plaintext pre search section summary table caption tbody thead tfoot tr ul xmp br td th noscript select textarea button iframe object applet marquee';

/** Names of elements whose text is not text of the page. */
export const HIDDEN_TAGS = 'script style template title iframe noembed noframes';

/** Names of headings. */
export const HEADING_TAGS = 'h1 h2 h3 h4 h5 h6';

/** Names of elements without content and without an end tag. */
export const VOID_TAGS =
  'area base br col embed hr img input link meta param source track wbr keygen basefont bgsound frame';
