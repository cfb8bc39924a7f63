import { expect, test } from 'vitest';
import { oddShare } from './detect-charset.ts';

test('text of real languages has no odd sequences', () => {
  const texts = [
    'Les élèves de l’école',
    'NAÏVE Œuvre',
    'Вчера вечером',
    'Windows 95 для начинающих',
    'PHP程序設計、テスト',
    'เมื่อวานนี้',
    '25 °C · 100 €',
  ];
  expect(texts.map(oddShare)).toEqual(texts.map(() => 0));
});

test('text read in a wrong charset has odd sequences', () => {
  const texts = ['вЧЕРА', 'odr¾an', 'cittа\u0300 è cittа', '\ufffd\ufffd', 'Ju\u0093er', ' \u0e34\u0e35'];
  for (const text of texts) expect(oddShare(text)).toBeGreaterThan(0);
});
