/** Letters by their script, except the plain Latin ones. */
export const SCRIPTS = [
  'accent',
  'vietnamese',
  'cyrillic',
  'otherCyrillic',
  'greek',
  'arabic',
  'hebrew',
  'indic',
  'thai',
  'hangul',
  'katakana',
  'hiragana',
  'han',
  'traditional',
  'otherScript',
] as const

/** Everything that is not a letter. */
export const SIGNS = [
  'digit',
  'space',
  'tab',
  'newline',
  'sign',
  'typography',
  'symbol',
  'box',
  'wide',
  'emoji',
] as const

/** The kinds of characters that tokenizers treat differently. */
export const KINDS = ['rest', 'lower', 'upper', ...SCRIPTS, ...SIGNS, 'lowSurrogate'] as const
export type Kind = (typeof KINDS)[number]

/** The bits of a kind's number. */
export const KIND_BITS = 5

/** First and last code unit; later ranges win. `otherCyrillic` has the letters that Russian does not use. */
const RANGES: readonly (readonly [number, number, Kind])[] = [
  [0x00, 0x7f, 'symbol'],
  [0x1b, 0x1b, 'sign'],
  [0x21, 0x7e, 'sign'],
  [0x09, 0x0d, 'tab'],
  [0x0a, 0x0a, 'newline'],
  [0x0d, 0x0d, 'newline'],
  [0x20, 0x20, 'space'],
  [0x30, 0x39, 'digit'],
  [0x41, 0x5a, 'upper'],
  [0x61, 0x7a, 'lower'],
  [0x80, 0xbf, 'symbol'],
  [0xc0, 0x24f, 'accent'],
  [0xd7, 0xd7, 'symbol'],
  [0xf7, 0xf7, 'symbol'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x402, 0x40f, 'otherCyrillic'],
  [0x42a, 0x42a, 'otherCyrillic'],
  [0x44a, 0x44a, 'otherCyrillic'],
  [0x452, 0x52f, 'otherCyrillic'],
  [0x530, 0x58f, 'otherScript'],
  [0x590, 0x5ff, 'hebrew'],
  [0x600, 0x77f, 'arabic'],
  [0x8a0, 0x8ff, 'arabic'],
  [0x900, 0xdff, 'indic'],
  [0xe00, 0xeff, 'thai'],
  [0x1000, 0x17ff, 'otherScript'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1e00, 0x1eff, 'vietnamese'],
  [0x2000, 0x206f, 'typography'],
  [0x2070, 0x2bff, 'symbol'],
  [0x2500, 0x257f, 'box'],
  [0x3000, 0x303f, 'wide'],
  [0x3040, 0x309f, 'hiragana'],
  [0x30a0, 0x30ff, 'katakana'],
  [0x3130, 0x318f, 'hangul'],
  [0x3400, 0x4dbf, 'han'],
  [0x4e00, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xd800, 0xdbff, 'emoji'],
  [0xdc00, 0xdfff, 'lowSurrogate'],
  [0xf900, 0xfaff, 'han'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe70, 0xfeff, 'arabic'],
  [0xfe00, 0xfe0f, 'symbol'],
  [0xff00, 0xffef, 'wide'],
]

/** Frequent characters of traditional Chinese alone: vocabularies have fewer of its words. */
const TRADITIONAL =
  '這個們來時說對國會為學開點無與關產業經類別匯檔數參組屬須稱項設將標運選傳構飾請員變編專譯簽碼發態過許從註權轉換應實沒並陳內嗎預間輸啟識當條錯斷處誤確裝記隱結義號靜僅寫環詞單現進錄範舉體該徑複載給語則庫動資執釋區圍擇慮擴檢層監試欄陣餘側報鍵訊狀嘗護種適塊遺讀顯繼尋備遞連強議規視偵卻頭認張測迴併兩協況遠嚴衝較舊階節閱機樣針約線聯刪詢級讓準頂礎疊術驗詳細裡導際減務簡問邊續響鏈決據敗獨製長採維論願證雙織絕擁輯評診遲訂儲統質財違團負隨陰還鎖順蹤雜納閉萬題夠盡極縮異係憲賦見殘罰審獲譽擊奪職兒額邏穩損輕鬆賴達篩緊躍終圖總憶慣掛輪廠風滿綜調觸瀏覽觀臨險壓價銘漸領買賣補辯榮遷離訴締踐禮濟輔醫療廢喪謀親費績優藝創壞話愛聽書電車門馬魚鳥龍東樂飛錢銀鐵歲師戰軍幾億難雖歡漢媽爾紅綠藍黃燈熱麼樹橋歷華隊陽陸雲靈頁顧養飯館黨齊'

/** The number of the kind of each UTF-16 code unit. */
export const KIND_OF = new Uint8Array(0x10000)
for (const [first, last, kind] of RANGES) KIND_OF.fill(KINDS.indexOf(kind), first, last + 1)
for (let at = 0; at < TRADITIONAL.length; at++) KIND_OF[TRADITIONAL.charCodeAt(at)] = KINDS.indexOf('traditional')
