/** A whole number from 0 on, below the given one. */
export type Random = (below: number) => number

/** The same numbers for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A text of the given ones, changed in some places: pieces cut, doubled, moved, of other texts, and words that mean something. */
export function mutated(texts: readonly string[], random: Random): string {
  let text = texts[random(texts.length)] ?? ''
  for (let change = random(8); change >= 0; change--) text = changed(text, texts, random)
  return text
}

function changed(text: string, texts: readonly string[], random: Random): string {
  const at = random(text.length + 1)
  const to = Math.min(text.length, at + random(1 << random(9)))
  const other = texts[random(texts.length)] ?? ''
  switch (random(7)) {
    case 0:
      return text.slice(0, at) + text.slice(to)
    case 1:
      return text.slice(0, to) + text.slice(at, to).repeat(random(20)) + text.slice(to)
    case 2: {
      const from = random(other.length + 1)
      return text.slice(0, at) + other.slice(from, from + random(400)) + text.slice(to)
    }
    case 3:
      return text.slice(0, at) + String.fromCharCode(random(random(2) === 0 ? 128 : 65_536)) + text.slice(at)
    case 4:
      return text.slice(0, at)
    default:
      return text.slice(0, at) + (WORDS[random(WORDS.length)] ?? '') + text.slice(to)
  }
}

/** Pieces that readers look for, or trip over. */
const WORDS = [
  ...['null', '{}', '[]', '[[[[[[', '"', '\\', '\\u0000', '\\ud800', '-1', '1e999', '9007199254740993', 'true', '""'],
  ...[
    '\n',
    '\r\n',
    '\0',
    '\u2028',
    '\ufeff',
    '\x1b[31m',
    '{"type":"',
    '"__proto__":',
    '"constructor":',
    'data: [DONE]',
  ],
  ...['"content":', '"role":"tool"', '"tool_calls":', '"input":', '"seq":', '## Now\n', '<record-0a1b>', '#12', '- #3'],
  ...[
    '$(',
    '`',
    '${',
    '|',
    '&&',
    ';',
    '<<EOF\n',
    '*',
    '?',
    '~',
    'git push origin',
    'cat .env',
    "'",
    'sh -c "',
    '>(',
    '((',
    '\\\n',
  ],
  ...[
    'event: message_start\ndata: {',
    'diff --git a/x b/x\n@@ -1 +1 @@\n',
    'Exit code 1',
    'sk-ant-api03-',
    'password="',
  ],
]
