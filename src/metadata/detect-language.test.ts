import { expect, test } from 'vitest';
import { findLanguage } from './detect-language.ts';

const BY_LANGUAGE = {
  en: 'The river rose by two metres in one night, and the bridge at the mill was closed to all traffic.',
  de: 'Der Fluss ist in einer Nacht um zwei Meter gestiegen, und die Brücke an der Mühle wurde gesperrt.',
  uk: 'За одну ніч річка піднялася на два метри, і міст біля млина було закрито для всіх, хто мав право їхати.',
  ar: 'ارتفع منسوب النهر مترين في ليلة واحدة وأغلق الجسر عند الطاحونة أمام حركة المرور.',
  el: 'Το ποτάμι ανέβηκε δύο μέτρα σε μία νύχτα και η γέφυρα στον μύλο έκλεισε.',
  ja: '一晩で川の水位が二メートル上がり、水車小屋のそばの橋は通行止めになった。',
  zh: '河水一夜之间上涨了两米，磨坊旁的桥梁已禁止通行，附近的居民被疏散到安全地带。',
};

test.each(Object.entries(BY_LANGUAGE))(
  'a text in %s is found, whatever the page declares',
  (language, text) => {
    for (const declared of [[], ['en-GB'], ['tr']]) {
      expect(findLanguage(text, declared)).toEqual({ language, source: 'text' });
    }
  },
);

test('a text in no known language has the declared one', () => {
  const text = 'xqz vkw jhx qqw zzk wvx kjq xzv '.repeat(5);
  expect(findLanguage(text, ['cy'])).toEqual({ language: 'cy', source: 'declared' });
  expect(findLanguage(text, [])).toBeUndefined();
});

test('a text of fewer than twenty letters has the declared language', () => {
  expect(findLanguage('Ο μύλος', ['en'])).toEqual({ language: 'en', source: 'declared' });
  expect(findLanguage('αβγδεζηθικλμνξοπρστ', ['en'])?.source).toBe('declared');
  expect(findLanguage('αβγδεζηθικλμνξοπρστυ', ['en'])).toEqual({ language: 'el', source: 'text' });
});
