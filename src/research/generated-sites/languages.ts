/**
 * The languages of the generator: their words and patterns, and the charsets in which sites of the language
 * were stored.
 */
import { combine, Language, type LanguageTable, list, patterns } from './language.ts';
import { LANGUAGE_CODES, type LanguageCode } from './phrases.ts';

/** English: everyday words in simple clauses. */
const ENGLISH_MONTHS = list(
  'January February March April May June July August September October November December',
);

const english: LanguageTable = {
  code: 'en',
  joint: ' ',
  stop: '. ',
  links: [', and ', ', but ', ' because ', ', while ', '; ', ' until ', ', so ', ' although ', ' before '],
  clauses:
    patterns(`D A N V D N P D N / D N P D N V D A N / X V D A N P X / R D N V # N P D A N / K of D N V D N P the A N /
    D N that V D N can B D A N / X said that D N will B D N R / at least # N V P D A N and D N /
    it is A to B D N P D A N / they B D N R and B D A N / nobody in X V D N P D A N any more /
    P D A N the N V D N / D N and D N V R P D N / in X D N was A and D N was A`),
  titles:
    patterns(`How D N V D A N / X V D A N P D N / Why D A N will B D N / A N P X: D N and D N / # ways to B D A N /
    D N that V D A N / X and the A N of D N / D A N V # N P X`),
  words: {
    D: list('the the the a this every another one our their his her each some no such that its'),
    K: list('most many several half part none all both few plenty'),
    N: list(`harbour engine market bridge garden teacher river window village number season letter kitchen
      mountain council doctor forest island journey lantern machine notebook orchard painter quarter railway
      shelter station thunder valley weather workshop captain balcony blanket carriage cellar chapter circle
      cottage courtyard curtain dairy desert drawer evening factory farmer feather ferry fountain furnace
      gallery glacier granite grocer hammer harvest hedge hillside hospital instrument jacket kettle ladder
      landlord lecture library lighthouse magazine meadow measure merchant mirror monument morning museum
      needle neighbour nursery office opinion orchestra oven packet parcel passenger pattern pavement pebble
      pencil pigeon pillar pocket postcard powder printer puzzle quarry question radio recipe reservoir ribbon
      rooftop sailor sandwich saucer scaffold schedule shepherd signal sketch smith spring stable staircase
      storm street student suitcase surgeon tailor telescope theatre ticket timber tower tractor traveller
      treaty tunnel turbine uncle union vessel violin voyage wagon warehouse wheel winter yard budget concert
      election committee festival insurance laboratory mayor newspaper parliament pension premium protest
      referee satellite software stadium strike subsidy supplier survey tenant tournament translator vaccine`),
    V: list(`carries repairs follows crosses paints measures remembers leaves brings covers answers builds
      changes closes collects compares counts delivers describes divides draws enters explains fills finds
      forgets gathers guards helps hides improves invites joins keeps leads lifts loses marks meets moves
      needs notices offers opens orders passes plants prepares presents prints promises protects questions
      raises reaches records replaces rescues returns saves sells shows signs sorts supports surprises tests
      touches turns visits warms washes watches weighs welcomes wins`),
    B: list(`carry repair follow cross paint measure remember leave bring cover answer build change close
      collect compare count deliver describe divide draw enter explain fill find forget gather guard help hide
      improve invite join keep lead lift lose mark meet move need notice offer open order pass plant prepare
      present print promise protect question raise reach record replace rescue return save sell show sign sort
      support surprise test touch turn visit warm wash watch weigh welcome win`),
    A: list(`old quiet narrow wooden bright distant early gentle heavy hollow honest idle iron kind late little
      local lonely loud modern northern open ordinary pale patient plain polite private public quick rare
      remote round rural salty separate sharp shallow silent simple sleepy slow small smooth solid southern
      spare steady steep stiff strange strict sudden sunny tall tender thick thin tidy tiny useful usual vast
      warm weary western wide wild windy yellow younger expensive familiar hidden famous empty broken golden
      crowded careful curious damp eager electric foreign generous`),
    R: list(`slowly often rarely again today usually finally carefully together quietly nearly always seldom
      suddenly already perhaps meanwhile gladly barely twice overnight nevertheless eventually later`),
    P: list(`near behind beyond under across above beside through towards without against along around before
      after during inside outside from over with between`),
  },
  firstNames: list(`Alice Arthur Beatrice Bernard Cecily Clara Daniel Dorothy Edgar Edith Emma Felix Flora
    Frank George Grace Hannah Harold Henry Ida Iris Jack James Jane Josephine Julian Kate Laura Leonard Lucy
    Mabel Martin Mary Maurice Nell Nora Oliver Oscar Paul Phoebe Ralph Robert Rose Ruth Samuel Sarah Simon
    Stella Thomas Victor Violet Walter Wilfred Winifred`),
  lastNames: list(`Abbot Alder Ashdown Barlow Beckwith Birch Blackwood Bolton Bramley Brook Calder Carver Clay
    Cobb Colby Crane Dale Dawson Denby Drake Dunmore Ellery Everett Fairfax Fenwick Finch Garland Gould Hale
    Harding Hartley Hawkes Heron Holt Ingram Jarvis Keane Kirby Lacey Langley Lark Marlow Mercer Moss Nash
    Norbury Oakes Osborne Parrish Penrose Pike Quill Radley Reeve Rook Rowan Sedgwick Shaw Stroud Tanner
    Thorne Tilbury Underhill Vance Wade Whitlock Wren Yardley`),
  places: list(`Ashford Barrowmere Brackley Castlebury Dunhaven Eastmarsh Elmwick Fernley Glenmoor Greyport
    Hawksworth Ivybridge Kestrelton Larkhill Millbrook Norwell Oakhampton Port-Ellis Quarndon Redcliff
    Saltmere Thornbury Upton Wexcombe Whitesand Yarrow`),
  sections: list(`Technology Travel Business Science Culture Sports Health Food Politics Gardening Music
    Motoring Education Property`),
  date: (year, month, day) => `${ENGLISH_MONTHS[month]} ${day}, ${year}`,
  sentencesPerParagraph: [3, 7],
};

/** German: compounds of two roots, as German forms them itself. Needs letters of windows-1252. */
const GERMAN_MONTHS = list(
  'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
);

const HEADS =
  list(`Brücken Markt Garten Fluss Hafen Fenster Winter Sommer Berg Wald Straßen Stadt Dorf Kirchen
  Schul Bahn Wasser Wetter Licht Küchen Haus Werk Bild Buch Zeit Kunst Land Arbeits Bücher Feuer Hand Herbst
  Himmels Holz Königs Kräuter Mühlen Nacht Obst Papier Post Rat Reise Schiffs Tages Ufer Verkehrs Volks Wein
  Ziegel Äpfel Öl Übungs`);
const TAILS = list(`markt plan weg turm bau platz raum kreis stoff gang dienst tisch lauf fall schein rand
  meister wagen bogen grund wert teil stand kasten schlüssel brief vertrag bericht garten führer verein betrieb
  kessel mantel beitrag anteil rahmen schuppen zettel wächter händler spiegel`);

const german: LanguageTable = {
  code: 'de',
  joint: ' ',
  stop: '. ',
  links: [', und ', ', aber ', ', weil ', ', während ', '; ', ', denn ', ', obwohl ', ', sodass '],
  clauses:
    patterns(`der A N V den A N P dem N / ein N P dem A N V den N R / X V den A N P X / R V der N # N P dem A N /
    kein N V den N so R wie der A N / P dem A N V der N einen A N / der N und der N V R P dem N /
    in X V man den A N R / wer den A N V , V auch den N / mindestens # N V P dem A N /
    nach # Jahren V der A N wieder den N / der N aus X V seinen A N`),
  titles:
    patterns(`Wie der A N den N V / X V den A N / Warum der N P dem N R V / Der A N: ein N P X / # Fragen an den A N /
    X und der A N / A N V N P X`),
  words: {
    N: combine(1800, HEADS, TAILS).concat(
      list('Nachbar Lehrer Bürgermeister Schreiner Gärtner Bäcker Richter'),
    ),
    V: list(`findet sucht trägt baut öffnet schließt malt misst prüft zeigt verkauft begleitet beschreibt erreicht
      erklärt verlässt erneuert gewinnt hört kennt lobt meidet nennt ordnet pflegt rettet sammelt schätzt teilt
      überquert unterstützt vergisst wählt zählt zerlegt bewacht entdeckt`),
    A: list(`alten neuen stillen schmalen hölzernen hellen fernen frühen schweren ehrlichen eisernen kleinen
      hiesigen lauten nördlichen offenen blassen geduldigen schlichten höflichen seltenen runden ländlichen
      scharfen flachen einfachen langsamen festen steilen strengen sonnigen großen dünnen nützlichen weiten
      wilden gelben jüngeren teuren berühmten leeren goldenen feuchten fremden großzügigen`),
    R: list(`langsam oft selten wieder heute meist endlich sorgfältig gemeinsam leise beinahe immer plötzlich
      bereits vielleicht gern kaum zweimal später dennoch überall`),
    P: list('neben hinter über unter vor zwischen bei mit nach seit von aus gegenüber samt nahe'),
  },
  firstNames:
    list(`Anna August Berta Carl Clara Dora Eduard Elise Emil Erna Felix Frieda Fritz Greta Hanna Hans
    Hedwig Heinrich Ida Jakob Johanna Jörg Käthe Konrad Lena Lotte Ludwig Margarete Marie Max Otto Paula Rosa
    Rudolf Sophie Theo Ursula Walter Wilhelm`),
  lastNames:
    list(`Achterberg Bachmann Brandt Dreher Eichhorn Falkner Gerber Grünwald Hagedorn Huber Imhof Jäger
    Kästner Keller Köhler Lindner Möller Nagel Ostermann Pfister Quandt Reuter Rösler Sattler Schäfer Schuster
    Steinbach Thalmann Ulmer Vogt Wagner Weidner Zeller Zöllner`),
  places: list(`Altenbrück Birkenfelde Dornheim Eschental Föhrwald Grünhausen Hohenau Kirchbach Lindenrode
    Mühlstadt Niederwerth Oberaich Quellenburg Rabenstein Steinfurt Tannheim Uhlenhorst Wiesenthal`),
  sections: list(
    'Technik Reisen Wirtschaft Wissen Kultur Sport Gesundheit Küche Politik Garten Musik Bildung',
  ),
  date: (year, month, day) => `${day}. ${GERMAN_MONTHS[month]} ${year}`,
  sentencesPerParagraph: [3, 6],
};

/** Greek: stems and endings. Needs letters of windows-1253. */
const GREEK_MONTHS = list(`Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου
  Οκτωβρίου Νοεμβρίου Δεκεμβρίου`);

const GREEK_STEMS =
  list(`θαλασσ ποταμ γεφυρ αγορ κηπ δασκαλ παραθυρ χωρι εποχ γραμμ κουζιν βουν γιατρ δασ νησ ταξιδ
  φαναρ μηχαν περιβολ ζωγραφ σταθμ βροντ κοιλαδ καιρ εργαστηρ μπαλκον αμαξ υπογ κεφαλ κυκλ αυλ ερημ συρταρ
  εργοστασ φτερ πηγ καμιν πινακοθηκ σφυρ θερισμ λοφ νοσοκομ οργαν σκαλ διαλεξ βιβλιοθηκ λιβαδ`);

const greek: LanguageTable = {
  code: 'el',
  joint: ' ',
  stop: '. ',
  links: [', και ', ', αλλά ', ', επειδή ', ', ενώ ', ' όταν ', ', όμως ', ', ώστε '],
  clauses: patterns(`το A N V τον N P το A N / η A N P την N V το N R / ο X V το A N P X / R V # N P το A N /
    κάθε N V την A N και το N / P το A N V ο N της N / η N και ο N V R P την N / στην X V το A N R /
    όποιος V το A N , V και τον N / τουλάχιστον # N V P την A N / μετά από # χρόνια το A N V πάλι`),
  titles: patterns(
    `Πώς το A N V τον N / X: το A N της N / Γιατί η N V R / # ερωτήσεις για το A N / Η A N P την X`,
  ),
  words: {
    N: combine(900, GREEK_STEMS, list('ι ος η ο ες ων ιο ισμα οσύνη άκι ωση ία ικό ητα'), ['', '']).concat(
      list('δάσκαλος γέφυρα λιμάνι παράθυρο χωριό αγορά σταθμός ποτάμι γείτονας κήπος'),
    ),
    V: list(`βρίσκει ψάχνει φέρνει χτίζει ανοίγει κλείνει ζωγραφίζει μετρά δείχνει πουλά συνοδεύει περιγράφει
      φτάνει εξηγεί αφήνει ανανεώνει κερδίζει ακούει γνωρίζει επαινεί αποφεύγει ονομάζει τακτοποιεί φροντίζει
      σώζει μαζεύει μοιράζει περνά στηρίζει ξεχνά διαλέγει φυλάει ανακαλύπτει`),
    A: list(`παλιό νέο ήσυχο στενό ξύλινο φωτεινό μακρινό πρωινό βαρύ τίμιο σιδερένιο μικρό ντόπιο βόρειο ανοιχτό
      χλωμό υπομονετικό απλό ευγενικό σπάνιο στρογγυλό αγροτικό ρηχό αργό σταθερό απότομο αυστηρό ηλιόλουστο
      ψηλό λεπτό χρήσιμο πλατύ άγριο κίτρινο ακριβό διάσημο άδειο χρυσό υγρό ξένο`),
    R: list(`αργά συχνά σπάνια πάλι σήμερα συνήθως επιτέλους προσεκτικά μαζί σιωπηλά σχεδόν πάντα ξαφνικά ήδη ίσως
      ευχαρίστως μόλις αργότερα ωστόσο παντού`),
    P: list('κοντά πίσω πέρα κάτω πάνω δίπλα μέσα προς χωρίς κατά γύρω πριν μετά από με για'),
  },
  firstNames:
    list(`Αλέξανδρος Άννα Βασίλης Γιώργος Δέσποινα Δημήτρης Ειρήνη Ελένη Θάνος Ιωάννα Κατερίνα Κώστας
    Λευτέρης Μαρία Μιχάλης Νίκος Ξένια Παύλος Πέτρος Σοφία Στέλιος Φανή Χρήστος`),
  lastNames:
    list(`Αγγελίδης Βλάχος Γαλανός Δούκας Ευθυμίου Ζέρβας Θεοδώρου Καρράς Λαμπρόπουλος Μαυρίδης Νικολάου
    Ξενάκης Παππάς Ράπτης Σταυρίδης Τσακίρης Φωτίου Χατζής`),
  places: list(
    'Αμπελώνα Βαθύλακκος Γλυκόβρυση Δροσιά Ελαιώνας Καλλιθέα Λευκόπετρα Μεσοχώρι Πλατανιά Φανερωμένη',
  ),
  sections: list('Τεχνολογία Ταξίδια Οικονομία Επιστήμη Πολιτισμός Αθλητικά Υγεία Κουζίνα Πολιτική Μουσική'),
  date: (year, month, day) => `${day} ${GREEK_MONTHS[month]} ${year}`,
  sentencesPerParagraph: [3, 6],
};

/** Russian: prefixes, stems and endings. Needs letters of windows-1251. */
const RUSSIAN_MONTHS = list(
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
);

const PREFIXES = ['', 'по', 'пере', 'за', 'при', 'раз', 'под', 'вы'];
const RUSSIAN_STEMS =
  list(`город мост рынок лист строй ход вод дел лес сад пис клад ряд свет ток борот каз нос став крас
  мер рез бор вал гляд зор мысл сел труд чин бег кат лом пуск руб сып тон`);

const russian: LanguageTable = {
  code: 'ru',
  joint: ' ',
  stop: '. ',
  links: [', и ', ', но ', ', потому что ', ', пока ', ', а ', ', хотя ', ', когда ', '; '],
  clauses:
    patterns(`A N V A N P N / N P A N R V N / X V A N P X / R N V # N P A N / никто не V N так R , как A N /
    P A N V A N и N / N и N R V P N / в X N V A N / кто V A N , тот V и N / не менее # N V P A N /
    через # лет A N снова V N / как сообщил X , N V A N`),
  titles: patterns(`Как N V A N / X V A N / Почему A N не V N / A N: N P X / # вопросов про A N / X и A N`),
  words: {
    N: combine(1400, PREFIXES, RUSSIAN_STEMS, list('ение ка ник ство ок ость ация ица ье арь')).concat(
      list('гавань учитель окно деревня письмо погода кухня врач остров фонарь мастерская станция долина'),
    ),
    V: list(`находит ищет несёт строит открывает закрывает рисует измеряет проверяет показывает продаёт провожает
      описывает достигает объясняет покидает обновляет выигрывает слышит знает хвалит избегает называет бережёт
      спасает собирает ценит делит поддерживает забывает выбирает считает охраняет обнаруживает`),
    A: list(`старый новый тихий узкий деревянный светлый далёкий ранний тяжёлый честный железный маленький местный
      громкий северный открытый бледный терпеливый простой вежливый редкий круглый сельский острый мелкий
      медленный прочный крутой строгий солнечный большой тонкий полезный широкий дикий жёлтый дорогой знаменитый
      пустой золотой сырой чужой щедрый`),
    R: list(`медленно часто редко снова сегодня обычно наконец осторожно вместе тихо почти всегда внезапно уже
      возможно охотно едва дважды позже однако повсюду`),
    P: list('возле за над под перед между при с после от из против вокруг без через'),
  },
  firstNames: list(`Александр Алексей Анна Антон Борис Валентина Вера Виктор Галина Григорий Дарья Дмитрий
    Екатерина Елена Иван Ирина Константин Лидия Людмила Максим Мария Михаил Наталья Николай Ольга Павел Раиса
    Сергей Софья Татьяна Фёдор Юлия`),
  lastNames:
    list(`Абрамов Белов Воронин Гусев Дроздов Ершов Жуков Зайцев Ильин Карпов Лебедев Морозов Никитин Орлов
    Поляков Рыбаков Соколов Тарасов Ушаков Филиппов Хомяков Цветков Чернов Шубин Щукин Яковлев`),
  places: list(
    'Березовск Дубравино Заречье Каменка Лесогорск Мостовое Новосёлки Озёрск Подгорное Сосновка Ясное',
  ),
  sections: list(
    'Технологии Путешествия Экономика Наука Культура Спорт Здоровье Кулинария Политика Музыка Авто',
  ),
  date: (year, month, day) => `${day} ${RUSSIAN_MONTHS[month]} ${year} г.`,
  sentencesPerParagraph: [3, 6],
};

/** Chinese: words of two common characters, no spaces. Needs characters of GB 2312. */
const CHINESE_FIRST = [
  ...'城市山水花木天地风云雨雪春夏秋冬东西南北海河江湖石金银铁火光明日月星文书画音工农商学校医药车船路桥',
];
const CHINESE_SECOND = [
  ...'场面间边体式法力心手头口目门户街村园林田产品质量数据网站台馆院所部队员师生民众界世代年期时节气',
];

const chinese: LanguageTable = {
  code: 'zh',
  joint: '',
  stop: '。',
  links: ['，而且', '，但是', '，因为', '，所以', '，同时', '，虽然', '，于是', '；'],
  clauses:
    patterns(`这个 A 的 N V 了 N / N 和 N 在 N R V / X 的 N V 了 A 的 N / R ， N V 了 # 个 N / 为了 V N ， A 的 N V N /
    在 X ， N 已经 V 了 N / 每个 N 都 V A 的 N / N 从 N 里 V 出 A 的 N / 大约有 # 个 N V 着 N / A 的 N 使 N V 得更 A /
    据 X 介绍 ， N 将 V N`),
  titles: patterns(
    `N 如何 V A 的 N / X V 了 A 的 N / # 个 A 的 N / A 的 N ： N 与 N / 为什么 N R V N / X 与 A 的 N`,
  ),
  words: {
    N: combine(2200, CHINESE_FIRST, CHINESE_SECOND),
    V: list(`发现 寻找 建设 打开 关闭 测量 检查 展示 出售 陪同 描述 到达 解释 离开 更新 赢得 听见 认识 赞扬 避免 整理
      照顾 拯救 收集 分享 经过 支持 忘记 选择 守护 改变 连接 完成 组织 推动 影响 保留 继续 提供 进入`),
    A: list(`古老 崭新 安静 狭窄 明亮 遥远 早期 沉重 诚实 微小 本地 响亮 开放 苍白 耐心 简单 礼貌 稀有 圆形 尖锐 缓慢
      坚固 陡峭 严格 晴朗 高大 细致 有用 宽广 野生 黄色 昂贵 著名 空旷 金色 潮湿 陌生 慷慨`),
    R: list('慢慢 经常 很少 再次 今天 通常 终于 仔细 一起 悄悄 几乎 总是 突然 已经 也许 刚刚 后来 到处'),
  },
  firstNames: combine(120, [...'小文志建国春秀丽海永'], [...'明华强芳军梅平英杰']),
  lastNames: [...'赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜'],
  places: list('清河 白石 东山 南湖 长桥 青林 云台 新港 平原 石门 金沙 北岭'),
  sections: list('科技 旅游 财经 科学 文化 体育 健康 美食 时政 音乐 汽车 教育'),
  date: (year, month, day) => `${year}年${month + 1}月${day}日`,
  sentencesPerParagraph: [4, 8],
};

/** Japanese: kanji words and katakana words between particles. Needs characters of Shift_JIS. */
const JAPANESE_FIRST = [
  ...'町山川海空花木森風雨雪春夏秋冬東西南北石金銀鉄火光朝夜星文本音工農商学校医薬車船道橋駅店家庭',
];
const JAPANESE_SECOND = [
  ...'場面間体式法力心手口目門村園林田品質量数館院所部員師生民界代年期時節気色形物事件題',
];

const japanese: LanguageTable = {
  code: 'ja',
  joint: '',
  stop: '。',
  links: ['が、', 'ので、', 'し、', 'けれども、', 'から、', 'ときに、'],
  clauses:
    patterns(`A N は N を V / N と N が N で V / X の N は A N を V / R 、 N が # の N を V / N の ために A N を V /
    X では N が もう N を V / どの N も A N を V / N から A N が V / およそ # の N が N に V / A N によって N が V /
    X に よると N は R N を V`),
  titles: patterns(`N と A N / X の A N / A N を V 理由 / # の A N / X 、 N を V / なぜ N は R N を V か`),
  words: {
    N: combine(1900, JAPANESE_FIRST, JAPANESE_SECOND).concat(
      list(
        'サービス ニュース システム テーブル ホテル カメラ レストラン プログラム ガイド セミナー メニュー チーム',
      ),
    ),
    V: list(`見つけた 探した 建てた 開いた 閉じた 描いた 測った 調べた 示した 売った 案内した 書いた 着いた 説明した
      離れた 改めた 勝ち取った 聞いた 知った 褒めた 避けた 呼んだ 整えた 守った 助けた 集めた 分けた 渡った 支えた
      忘れた 選んだ 数えた 変えた 続けた 伝えた`),
    A: list(`古い 新しい 静かな 狭い 明るい 遠い 早い 重い 正直な 小さい 地元の 大きい 北の 青白い 簡単な 丁寧な 珍しい
      丸い 鋭い 浅い 遅い 丈夫な 急な 厳しい 高い 薄い 便利な 広い 野生の 黄色い 有名な 空の 金の 湿った 見知らぬ`),
    R: list(
      'ゆっくり しばしば めったに また 今日 普段 ついに 慎重に 一緒に そっと ほとんど いつも 突然 すでに おそらく',
    ),
  },
  firstNames: list('太郎 花子 一郎 健 明 誠 直子 美咲 翔 愛 恵子 大輔 真由美 浩 由紀 拓也 彩 陽子 学 香織'),
  lastNames: list(
    '佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村 小林 加藤 吉田 山田 松本 井上 木村 林 清水 森 池田 橋本',
  ),
  places: list('青葉町 白川 東雲 南原 長橋 若林 雲井 新港 平野 石門 金沢台 北嶺'),
  sections: list('技術 旅行 経済 科学 文化 スポーツ 健康 料理 政治 音楽 自動車 教育'),
  date: (year, month, day) => `${year}年${month + 1}月${day}日`,
  sentencesPerParagraph: [4, 8],
};

const TABLES = { en: english, de: german, el: greek, ru: russian, zh: chinese, ja: japanese };
const made = new Map<LanguageCode, Language>();

/** Charsets in which each language can be stored, as WHATWG names; the first is its common legacy charset. */
export const CHARSETS: Record<LanguageCode, readonly string[]> = {
  en: ['windows-1252', 'utf-8'],
  de: ['windows-1252', 'utf-8'],
  el: ['windows-1253', 'iso-8859-7', 'utf-8'],
  ru: ['windows-1251', 'koi8-r', 'utf-8'],
  zh: ['gb18030', 'gbk', 'utf-8'],
  ja: ['shift_jis', 'euc-jp', 'utf-8'],
};

/** Returns the generator of a language; throws a RangeError for an unknown code. */
export function languageFor(code: LanguageCode): Language {
  const table = TABLES[code];
  if (!table) throw new RangeError(`language must be one of ${LANGUAGE_CODES.join(', ')}, not "${code}"`);
  let language = made.get(code);
  if (!language) made.set(code, (language = new Language(table)));
  return language;
}
