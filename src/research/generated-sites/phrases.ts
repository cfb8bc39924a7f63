/** Codes of the languages of generated sites, in the order of the columns of `ROWS`. */
export const LANGUAGE_CODES = ['en', 'de', 'el', 'ru', 'zh', 'ja'] as const;
/** Code of a language of generated sites. */
export type LanguageCode = (typeof LANGUAGE_CODES)[number];

const ROWS = {
  home: 'Home | Startseite | Αρχική | Главная | 首页 | ホーム',
  search: 'Search | Suche | Αναζήτηση | Поиск | 搜索 | 検索',
  about: 'About us | Über uns | Ποιοι είμαστε | О проекте | 关于我们 | 会社案内',
  contact: 'Contact | Kontakt | Επικοινωνία | Контакты | 联系方式 | お問い合わせ',
  help: 'Help | Hilfe | Βοήθεια | Помощь | 帮助 | ヘルプ',
  shop: 'Shop | Laden | Κατάστημα | Магазин | 商城 | ショップ',
  forum: 'Forum | Forum | Φόρουμ | Форум | 论坛 | 掲示板',
  login: 'Log in | Anmelden | Σύνδεση | Вход | 登录 | ログイン',
  register: 'Register | Registrieren | Εγγραφή | Регистрация | 注册 | 新規登録',
  privacy:
    'Privacy policy | Datenschutz | Πολιτική απορρήτου | Конфиденциальность | 隐私政策 | 個人情報保護方針',
  terms: 'Terms of use | Impressum | Όροι χρήσης | Правила сайта | 使用条款 | 利用規約',
  sitemap: 'Site map | Übersicht | Χάρτης | Карта сайта | 网站地图 | サイトマップ',
  newsletter: 'Newsletter | Rundbrief | Ενημερωτικό δελτίο | Рассылка | 邮件订阅 | メールマガジン',
  subscribe: 'Subscribe | Abonnieren | Εγγραφείτε | Подписаться | 立即订阅 | 購読する',
  accept: 'Accept all cookies | Alle akzeptieren | Αποδοχή όλων | Принять все | 全部接受 | すべて同意する',
  settings:
    'Change settings | Einstellungen ändern | Αλλαγή ρυθμίσεων | Изменить настройки | 更改设置 | 設定を変更',
  categories: 'Categories | Rubriken | Κατηγορίες | Рубрики | 分类目录 | カテゴリー',
  tags: 'Tags | Schlagwörter | Ετικέτες | Метки | 标签 | タグ',
  latest: 'Latest news | Neueste Beiträge | Τελευταία νέα | Последние новости | 最新文章 | 最新記事',
  related: 'Related stories | Mehr zum Thema | Σχετικά άρθρα | Похожие материалы | 相关阅读 | 関連記事',
  archive: 'Archive | Archiv | Αρχείο | Архив | 归档 | 過去の記事',
  poll: 'Reader poll | Umfrage | Δημοσκόπηση | Опрос | 读者调查 | アンケート',
  comments: 'Comments | Kommentare | Σχόλια | Комментарии | 评论 | コメント',
  leaveComment:
    'Leave a comment | Kommentar schreiben | Γράψτε ένα σχόλιο | Оставить комментарий | 发表评论 | コメントを書く',
  name: 'Your name | Ihr Name | Το όνομά σας | Ваше имя | 您的姓名 | お名前',
  email: 'E-mail address | E-Mail-Adresse | Διεύθυνση e-mail | Адрес почты | 电子邮箱 | メールアドレス',
  message: 'Your message | Ihre Nachricht | Το μήνυμά σας | Ваше сообщение | 评论内容 | 本文',
  send: 'Send | Absenden | Αποστολή | Отправить | 提交 | 送信',
  share:
    'Share this page | Seite empfehlen | Μοιραστείτε τη σελίδα | Поделиться | 分享本页 | このページを共有',
  print: 'Print version | Druckansicht | Εκτύπωση | Версия для печати | 打印 | 印刷用',
  by: 'By | Von | Από | Автор | 作者 | 文',
  price: 'Price | Preis | Τιμή | Цена | 价格 | 価格',
  addToCart: 'Add to basket | In den Warenkorb | Στο καλάθι | В корзину | 加入购物车 | カートに入れる',
  delivery:
    'Delivery and returns | Versand und Rückgabe | Αποστολή και επιστροφές | Доставка и возврат | 配送与退换 | 配送と返品',
  description: 'Description | Beschreibung | Περιγραφή | Описание | 商品描述 | 商品の説明',
  details: 'Details | Einzelheiten | Λεπτομέρειες | Характеристики | 规格参数 | 仕様',
  reply: 'Reply | Antworten | Απάντηση | Ответить | 回复 | 返信',
  quote: 'Quote | Zitieren | Παράθεση | Цитировать | 引用 | 引用',
  report: 'Report | Melden | Αναφορά | Пожаловаться | 举报 | 通報',
  joined: 'Joined | Dabei seit | Μέλος από | На сайте с | 注册时间 | 登録日',
  posts: 'Posts | Beiträge | Μηνύματα | Сообщений | 帖子 | 投稿',
  sortBy: 'Sort by | Sortieren nach | Ταξινόμηση κατά | Сортировать | 排序方式 | 並べ替え',
  newest: 'newest | neueste | νεότερα | новые | 最新 | 新着順',
  popular: 'most read | meistgelesen | δημοφιλή | популярные | 最热 | 人気順',
  cheapest: 'lowest price | Preis | τιμή | дешёвые | 价格 | 安い順',
  next: 'Next | Weiter | Επόμενη | Далее | 下一页 | 次へ',
  visitors: 'Visitors | Besucher | Επισκέπτες | Посетителей | 访问量 | 訪問者',
  followUs: 'Follow us | Folgen Sie uns | Ακολουθήστε μας | Мы в социальных сетях | 关注我们 | フォローする',
  rights:
    'All rights reserved. | Alle Rechte vorbehalten. | Με την επιφύλαξη παντός δικαιώματος. | Все права защищены. | 版权所有。 | 無断転載を禁じます。',
  advertisement: 'Advertisement | Anzeige | Διαφήμιση | Реклама | 广告 | 広告',
  wrote: 'wrote | schrieb | έγραψε | пишет | 写道 | さんの投稿',
};

/** The short texts of a site's interface, by name. */
export type Phrases = Record<keyof typeof ROWS, string>;

/** Returns the short texts in a language. */
export function phrasesIn(code: LanguageCode): Phrases {
  const column = LANGUAGE_CODES.indexOf(code);
  const entries = Object.entries(ROWS).map(([name, row]) => [name, row.split(' | ')[column]]);
  return Object.fromEntries(entries) as Phrases;
}
