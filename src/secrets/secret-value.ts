/**
 * The place of a value decides how sure it must look. `shell`: an environment variable, a flag, a header, a part of an address:
 * people put real values there. `data`: a key in YAML, JSON or code, where most values are names, types and made-up examples.
 */
export type ValuePlace = 'shell' | 'data'

/** The kind of a name. The value of a `key` must look random, because most things that are called a key are not secret. */
export type NameKind = 'password' | 'key'

/** True for a real password or key: not a placeholder, a reference to a variable or a path, or an ordinary word. */
export function isSecretValue(value: string, name: NameKind, place: ValuePlace): boolean {
  if (value.length < SHORTEST[place][name] || NOT_LITERAL.test(value) || MADE_UP.test(value)) return false
  if (isPlaceholder(value) || (place === 'data' && MADE_UP_IN_CODE.test(value))) return false
  if (isRandom(value)) return true
  if (name === 'key') return place === 'shell' && /\d/.test(value) && kindsIn(value) >= 3 && changesIn(value) > 1
  return place === 'shell' ? isPassword(value) : /\d/.test(value) && isPassword(value)
}

const SHORTEST = { shell: { password: 6, key: 10 }, data: { password: 8, key: 12 } } as const

/** True for hexadecimal digits, base64 and the like. */
function isRandom(value: string): boolean {
  if (value.length < 12 || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  return entropyOf(value) >= 2.5 && changesIn(value) >= value.length / 5
}

/** True for what people choose: letters with digits or signs, or a long word. */
function isPassword(value: string): boolean {
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return entropyOf(value) >= 2
  return kindsIn(value) >= 3 || /^[a-z]{8,}$|^[a-z]+(?:-[a-z]+){2,}$/.test(value)
}

/** A variable, a call, a path, an address, a date, a version, a type, a name of code, or a mark of ours. */
const NOT_LITERAL =
  /^[$%@!&*[{(<#]|\$[{(A-Z_]|\{\{|%[A-Z_]+%|^(?:\.{0,2}\/|~\/|[a-z]+:\/\/)|^\d[\d.:T+-]*Z?$|\w\(|^(?:[A-Za-z_][\w-]*\.)+[A-Za-z_][\w-]*$|^(?:[A-Za-z_]\w*(?:\.|::|->))+[A-Za-z_]\w*$|^[A-Za-z][a-z]*\d{0,3}(?:[A-Z][a-z]+)+\d?$|^[A-Z]+(?:_[A-Z0-9]+)+$|^--|\?\?|\|\||=>/

const MADE_UP =
  /example|placeholder|change[-_ ]?(?:me|this)|your[-_ ]?|dummy|fake|mock|sample|redacted|replace|x{3}|\.{3}|\*{3}|[…<>•]/i
const MADE_UP_IN_CODE = /test|1234|abcd|foo|bar\b|[\u0250-\uffff]/i

/** Words that placeholders consist of. A value of which every word is one of these is not a secret. */
const ORDINARY = new Set(
  (
    'a abc abcd abcde abcdef access admin and any api app argon auth b bad bar base basic bcrypt bearer baz c client correct creds credentials db debug default demo dev ' +
    'development do e empty enabled encryption env error expired f false fixture foo for from guest hash header here hidden id in insecure ' +
    'int integration invalid is jwt key local localhost long main missing my mykey mypass mypassword mysecret mysql mytoken name new nil ' +
    'no none not null number oauth of old only optional or pass passwd passphrase password pbkdf pg postgres postgresql prod production private pwd qwerty ' +
    'random redis refresh required root sa safe scrypt secret secrets secure server service session set sha shared signing some staging ' +
    'stdin str string strong super supersecret temp test testing testkey testpass testpassword testsecret testtoken tests text the this tmp to token tokens true two ' +
    'type undefined unit unset unused url use user username uuid v valid value very wrong x y z yes'
  ).split(' '),
)

function isPlaceholder(value: string): boolean {
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  return words.every((word) => ORDINARY.has(word.toLowerCase()))
}

/** How often letters, capitals and digits take turns. A capital at the start of a word does not count, because names in code have it. */
function changesIn(value: string): number {
  return value.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0
}

function kindsIn(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
}

/** The Shannon entropy of a text, in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
