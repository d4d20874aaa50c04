import type { Line, Tone } from '../port/port.ts'

/** The coloured parts of a language, in the order in which they are tried. `word`: a keyword if it is one of `words`. */
type Language = {
  /** Its names after a fence and as endings of files. */
  readonly names: string
  readonly rules: readonly (readonly [tone: Tone | 'word', source: string])[]
  readonly words?: string
}

/** Of the whole text; `$` is that of a line. */
const END = String.raw`(?![\s\S])`

const BLOCK_COMMENT = ['muted', String.raw`\/\*[\s\S]*?(?:\*\/|${END})`] as const
const SLASHES = ['muted', String.raw`\/\/.*`] as const
const HASH = ['muted', '(?<![^\\s;])#.*'] as const
const DOUBLE = ['string', String.raw`"(?:\\.|[^"\\\n])*"?`] as const
const SINGLE = ['string', String.raw`'(?:\\.|[^'\\\n])*'?`] as const
/** Of several lines. */
const BACKTICK = ['string', '`(?:\\\\[\\s\\S]|[^`\\\\])*`?'] as const
const TRIPLE = ['string', `"""[\\s\\S]*?(?:"""|${END})|'''[\\s\\S]*?(?:'''|${END})`] as const
/** One character, so that the lifetimes of Rust begin no text. */
const CHARACTER = ['string', String.raw`'(?:\\[^'\n]{1,10}|[^'\\\n])'`] as const
const NUMBER = [
  'number',
  String.raw`\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w{0,3}\b`,
] as const
const WORD = ['word', String.raw`[A-Za-z_$@][\w$]*`] as const
/** After what a value can follow; otherwise it is a division. */
const REGEX = [
  'string',
  String.raw`(?<=[=(,:?!&|;[{]\s?)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*`,
] as const
const C_LIKE = [BLOCK_COMMENT, SLASHES, TRIPLE, DOUBLE, CHARACTER, NUMBER, WORD] as const
const HASH_LIKE = [HASH, TRIPLE, DOUBLE, SINGLE, NUMBER, WORD] as const

const LANGUAGES: readonly Language[] = [
  {
    names: 'ts tsx mts cts js jsx mjs cjs typescript javascript',
    rules: [BLOCK_COMMENT, SLASHES, REGEX, DOUBLE, SINGLE, BACKTICK, NUMBER, WORD],
    words:
      'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of override private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while yield',
  },
  {
    names: 'java kt kts kotlin scala groovy gradle dart',
    rules: C_LIKE,
    words:
      'abstract as assert boolean break by byte case catch char class companion const constructor continue data def default do double else enum extends false final finally float for fun if implements import in init instanceof int interface internal is lateinit lazy long native new null object open override package private protected public record return sealed short static super suspend switch synchronized this throw throws trait true try typealias val var void volatile when where while with yield',
  },
  {
    names: 'c h cc cpp cxx hh hpp c++ cs csharp m mm swift',
    rules: [['keyword', String.raw`(?<=^[ \t]{0,20})#[ \t]*\w+`], ...C_LIKE],
    words:
      'alignas as async auto await base bool break case catch char class const constexpr continue decltype default defer delete do double else enum explicit export extension extern false finally float for foreach friend func get goto guard if import in init inline int interface internal is let long mutable namespace new nil noexcept null nullptr operator out override private protected protocol public readonly ref register return self set short signed sizeof static static_cast string struct super switch template this throw throws true try typedef typename union unsigned using var virtual void volatile where while yield',
  },
  {
    names: 'go',
    rules: [BLOCK_COMMENT, SLASHES, DOUBLE, CHARACTER, BACKTICK, NUMBER, WORD],
    words:
      'any bool break byte case chan const continue default defer else error fallthrough false float64 for func go goto if import int int64 interface iota map nil package range return rune select string struct switch true type uint var',
  },
  {
    names: 'rs rust zig',
    rules: C_LIKE,
    words:
      'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true try type unsafe use where while',
  },
  {
    names: 'php',
    rules: [HASH, BLOCK_COMMENT, SLASHES, DOUBLE, SINGLE, NUMBER, WORD],
    words:
      'abstract and array as break callable case catch class clone const continue declare default do echo else elseif enum extends false final finally fn for foreach function global if implements include instanceof interface match namespace new null or private protected public readonly require require_once return self static switch throw trait true try use var while yield',
  },
  {
    names: 'py pyi python',
    rules: HASH_LIKE,
    words:
      'and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield',
  },
  {
    names: 'rb ruby ex exs elixir jl julia r',
    rules: HASH_LIKE,
    words:
      'alias and begin break case catch class cond def defmodule defp defstruct do else elsif end ensure false fn for function if import in module new next nil not or private public raise require require_relative rescue return self super then true unless until use using when while with yield',
  },
  {
    names: 'sh bash zsh fish shell console dockerfile containerfile makefile mk nix pl perl',
    rules: [
      HASH,
      ['string', String.raw`"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?`],
      ['number', String.raw`\$(?:\w+|\{[^}\n]*\}?|[@*#?$!-])`],
      WORD,
    ],
    words:
      'ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM LABEL RUN USER VOLUME WORKDIR alias break case cd continue do done elif else end esac eval exec exit export fi for function if in local my need our readonly return set shift source sub switch then trap unset until use while',
  },
  {
    names: 'lua sql psql mysql sqlite hs haskell elm ada',
    rules: [
      ['muted', String.raw`--\[\[[\s\S]*?(?:\]\]|${END})|--.*`],
      BLOCK_COMMENT,
      DOUBLE,
      ['string', String.raw`'(?:''|\\.|[^'\\])*'?`],
      NUMBER,
      WORD,
    ],
    words: `${both(
      'add all alter and as asc begin between by case cast check column commit constraint create cross default delete desc distinct drop else end except exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then transaction trigger union unique update using values view when where with',
    )} break data deriving do elseif false for function goto import instance let local module newtype nil of repeat return true type until while`,
  },
  {
    names: 'json jsonc json5 jsonl',
    rules: [SLASHES, BLOCK_COMMENT, ['keyword', String.raw`"(?:\\.|[^"\\\n])*"(?=\s*:)`], DOUBLE, NUMBER, WORD],
    words: 'true false null',
  },
  {
    names: 'yaml yml toml ini conf cfg properties env',
    rules: [
      HASH,
      ['keyword', String.raw`(?<=^[ \t]{0,40}(?:- )?)[\w./-]+(?=\s{0,4}[:=])|^\[[^\]\n]*\]`],
      TRIPLE,
      DOUBLE,
      SINGLE,
      NUMBER,
      WORD,
    ],
    words: 'true false null yes no on off',
  },
  {
    names: 'html htm xml svg vue svelte xhtml plist',
    rules: [
      ['muted', `<!--[\\s\\S]*?(?:-->|${END})`],
      ['keyword', String.raw`<[!?/]?[\w:.-]+|[?/]?>`],
      DOUBLE,
      ['string', String.raw`(?<==)'[^'\n]*'?`],
    ],
  },
  {
    names: 'css scss less sass',
    rules: [
      BLOCK_COMMENT,
      ['muted', String.raw`(?<!:)\/\/.*`],
      DOUBLE,
      SINGLE,
      ['number', String.raw`#[\da-fA-F]{3,8}\b|\b\d[\d.]*(?:%|[a-z]{1,4}\b)?`],
      ['keyword', String.raw`@[\w-]+|(?<![\w-])[\w-]+(?=\s?:\s)`],
    ],
  },
  {
    names: 'diff patch',
    rules: [
      ['muted', '^(?:@@|diff |index |--- |\\+\\+\\+ ).*'],
      ['added', '^\\+.*'],
      ['removed', '^-.*'],
    ],
  },
]

function both(words: string): string {
  return `${words} ${words.toUpperCase()}`
}

type Lexer = {
  readonly names: ReadonlySet<string>
  readonly pattern: RegExp
  readonly tones: Language['rules']
  readonly words: ReadonlySet<string>
}

const LEXERS: readonly Lexer[] = LANGUAGES.map(({ names, rules, words = '' }) => ({
  names: new Set(names.split(' ')),
  pattern: new RegExp(rules.map(([, source]) => `(${source})`).join('|'), 'gm'),
  tones: rules,
  words: new Set(words.split(' ')),
}))

/** The language of a fence or of a file, as a name for `codeLines`: the ending, or else the whole name (`Dockerfile`). */
export function languageOf(fenceOrFile: string): string {
  const name = /[^/\\]*$/.exec(fenceOrFile.trim().split(/[\s,{]/, 1)[0] ?? '')?.[0] ?? ''
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

/** Longer texts stay without colours: they would take the time of several frames. */
const MOST_CHARACTERS = 50_000
/** A text with a longer line is not read by people, and some rules look at the rest of a line from each of its places. */
const LONGEST_LINE = 1_000

/** The lines of a text with the colours of its language. Undefined if the language is not known. */
export function codeLines(text: string, language: string): Line[] | undefined {
  const isShort = text.length <= MOST_CHARACTERS && text.split('\n').every((line) => line.length <= LONGEST_LINE)
  const lexer = isShort ? LEXERS.find(({ names }) => names.has(language)) : undefined
  if (lexer === undefined) return undefined
  const lines: [text: string, tone: Tone][][] = [[]]
  const add = (piece: string, tone: Tone) => {
    for (const [i, line] of piece.split('\n').entries()) {
      if (i > 0) lines.push([])
      const own = lines.at(-1)
      const last = own?.at(-1)
      if (last?.[1] === tone) last[0] += line
      else if (line !== '') own?.push([line, tone])
    }
  }
  let end = 0
  for (const found of text.matchAll(lexer.pattern)) {
    add(text.slice(end, found.index), 'plain')
    add(found[0], toneOf(found, lexer))
    end = found.index + found[0].length
  }
  add(text.slice(end), 'plain')
  return lines
}

function toneOf(found: RegExpExecArray, { tones, words }: Lexer): Tone {
  const tone = tones[found.findIndex((group, i) => i > 0 && group !== undefined) - 1]?.[0] ?? 'plain'
  if (tone !== 'word') return tone
  return words.has(found[0]) ? 'keyword' : 'plain'
}
