import { useState } from 'preact/hooks'
import { count } from '../../src/engine/report/numbers.ts'
import { type PageRoute, routeHash } from '../state/page-route.ts'
import { visibleLine, visiblePieces } from '../text/visible.ts'

const FIRST = 20_000
const STEP = 500_000

/** A text of a session, shown as text: invisible characters by their codes, long texts in steps. */
export function Text({ text, class: name }: { text: string; class?: string }) {
  const [shown, setShown] = useState(FIRST)
  const isCut = text.length > shown
  return (
    <div class={`text ${name ?? ''}`} dir="auto">
      <VisibleText text={isCut ? text.slice(0, shown) : text} />
      {isCut && (
        <button type="button" class="more" onClick={() => setShown(shown + STEP)}>
          … {count(text.length - shown)} more characters: show {count(Math.min(STEP, text.length - shown))}
        </button>
      )}
    </div>
  )
}

/** A text with its invisible characters shown by their codes. */
export function VisibleText({ text }: { text: string }) {
  return (
    <>
      {visiblePieces(text).map(({ text: piece, isMark }, i) =>
        isMark ? (
          <span key={i} class="unseen">
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </>
  )
}

/** `#12`: a link that opens the entry in the side column. */
export function Handle({ seq, route }: { seq: number; route: PageRoute }) {
  return (
    <a class="handle" href={routeHash({ ...route, entry: seq })}>
      #{seq}
    </a>
  )
}

/** A text with the searched words highlighted, each wherever it is. */
function Highlight({ text, words }: { text: string; words: string }) {
  const wanted = words.replace(/\b[a-z]+:\S+/g, ' ').match(/[\p{L}\p{N}_]{2,}/gu) ?? []
  if (wanted.length === 0) return <>{text}</>
  const pieces = text.split(new RegExp(`(${wanted.join('|')})`, 'giu'))
  return <>{pieces.map((piece, i) => (i % 2 === 1 ? <mark key={`${i}`}>{piece}</mark> : piece))}</>
}

/** The lines around a match, each on one line. */
export function HitLines({ text, words }: { text: string; words: string }) {
  const lines = text.split('\n')
  return (
    <>
      {lines.map((line, i) => (
        <span class="hit-line" key={`${i}`}>
          <Highlight text={visibleLine(line)} words={words} />
        </span>
      ))}
    </>
  )
}
