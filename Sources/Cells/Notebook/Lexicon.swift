/// A language of the vocabulary notebooks: the same concepts in the same order in each, so that a term of one language
/// has its meaning in another.
struct Lexicon: Sendable {
  /// ISO 639 code.
  let code: String
  /// The title of a lesson.
  let lesson: String
  /// Nouns, verbs and adjectives, each of 2–15 characters; as many in each language.
  let terms: [String]

  private init(_ code: String, lesson: String, _ terms: String) {
    precondition(!code.isEmpty && !terms.isEmpty, "a language has a code and terms")
    self.code = code
    self.lesson = lesson
    self.terms = terms.split(separator: "|").map(String.init)
  }

  /// The languages, each in its own script: Latin, Hangul, kana and kanji, Cyrillic, Greek, Arabic, Devanagari.
  static let all: [Lexicon] = [
    Lexicon(
      "en", lesson: "Lesson",
      """
      water|fire|house|road|bread|apple|river|mountain|book|letter|word|language|friend|mother|child|teacher|student|\
      school|morning|evening|yesterday|tomorrow|winter|summer|rain|snow|wind|sea|bird|dog|cat|horse|tree|flower|hand|\
      eye|heart|to go|to come|to read|to write|to learn|to forget|to remember|beautiful|small|new|old
      """),
    Lexicon(
      "ko", lesson: "제목과 단어",
      """
      생수|불꽃|집안|도로|식빵|사과|강물|산봉우리|서적|편지|단어|언어|친구|어머니|아이|선생님|학생|학교|아침|저녁|어제|내일|겨울|여름|소나기|\
      함박눈|바람|바다|참새|강아지|고양이|조랑말|나무|꽃잎|손바닥|눈동자|심장|가다|오다|읽다|쓰다|배우다|잊다|기억하다|아름답다|작다|새롭다|\
      오래되다
      """),
    Lexicon(
      "ja", lesson: "第何課",
      """
      みず|ほのお|いえ|道路|食パン|りんご|かわ|やま|書物|手紙|言葉|言語|友達|お母さん|子供|先生|学生|学校|あさ|夕方|昨日|明日|ふゆ|なつ|\
      大雨|ゆき|かぜ|うみ|小鳥|いぬ|ねこ|うま|樹木|はな|りょうて|ひとみ|心臓|行く|来る|読む|書く|習う|忘れる|覚える|美しい|小さい|\
      新しい|古い
      """),
    Lexicon(
      "ru", lesson: "Урок",
      """
      вода|огонь|дом|дорога|хлеб|яблоко|река|гора|книга|письмо|слово|язык|друг|мать|ребёнок|учитель|студент|школа|утро|\
      вечер|вчера|завтра|зима|лето|дождь|снег|ветер|море|птица|собака|кошка|лошадь|дерево|цветок|рука|глаз|сердце|идти|\
      приходить|читать|писать|учиться|забывать|помнить|красивый|маленький|новый|старый
      """),
    Lexicon(
      "el", lesson: "Μάθημα",
      """
      νερό|φωτιά|σπίτι|δρόμος|ψωμί|μήλο|ποτάμι|βουνό|βιβλίο|γράμμα|λέξη|γλώσσα|φίλος|μητέρα|παιδί|δάσκαλος|μαθητής|\
      σχολείο|πρωί|βράδυ|χθες|αύριο|χειμώνας|καλοκαίρι|βροχή|χιόνι|άνεμος|θάλασσα|πουλί|σκύλος|γάτα|άλογο|δέντρο|\
      λουλούδι|χέρι|μάτι|καρδιά|πηγαίνω|έρχομαι|διαβάζω|γράφω|μαθαίνω|ξεχνώ|θυμάμαι|όμορφος|μικρός|καινούργιος|παλιός
      """),
    Lexicon(
      "ar", lesson: "درس جديد",
      """
      ماء|نار|بيت|طريق|خبز|تفاحة|نهر|جبل|كتاب|رسالة|كلمة|لغة|صديق|أم|طفل|معلم|طالب|مدرسة|صباح|مساء|أمس|غدا|شتاء|صيف|\
      مطر|ثلج|ريح|بحر|طائر|كلب|قطة|حصان|شجرة|زهرة|يد|عين|قلب|يذهب|يأتي|يقرأ|يكتب|يتعلم|ينسى|يتذكر|جميل|صغير|جديد|قديم
      """),
    Lexicon(
      "es", lesson: "Lección",
      """
      agua|fuego|casa|camino|pan|manzana|río|montaña|libro|carta|palabra|idioma|amigo|madre|niño|maestro|estudiante|\
      escuela|mañana|tarde|ayer|mañana|invierno|verano|lluvia|nieve|viento|mar|pájaro|perro|gato|caballo|árbol|flor|\
      mano|ojo|corazón|ir|venir|leer|escribir|aprender|olvidar|recordar|hermoso|pequeño|nuevo|viejo
      """),
    Lexicon(
      "de", lesson: "Lektion",
      """
      Wasser|Feuer|Haus|Straße|Brot|Apfel|Fluss|Berg|Buch|Brief|Wort|Sprache|Freund|Mutter|Kind|Lehrerin|Studentin|\
      Schule|Morgen|Abend|gestern|morgen|Winter|Sommer|Regen|Schnee|Wind|Meer|Vogel|Hund|Katze|Pferd|Baum|Blume|Hand|\
      Auge|Herz|gehen|kommen|lesen|schreiben|lernen|vergessen|erinnern|schön|klein|neu|alt
      """),
    Lexicon(
      "hi", lesson: "नया पाठ",
      """
      पानी|आग|घर|सड़क|रोटी|सेब|नदी|पहाड़|किताब|चिट्ठी|शब्द|भाषा|दोस्त|माता|बच्चा|अध्यापक|छात्र|विद्यालय|सुबह|शाम|\
      बीता कल|आनेवाला कल|सर्दी|गर्मी|बारिश|बर्फ़|हवा|समुद्र|चिड़िया|कुत्ता|बिल्ली|घोड़ा|पेड़|फूल|हाथ|आँख|दिल|जाना|आना|पढ़ना|\
      लिखना|सीखना|भूलना|याद रखना|सुंदर|छोटा|नया|पुराना
      """),
  ]
}
