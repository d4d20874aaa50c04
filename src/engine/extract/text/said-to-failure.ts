import { clip } from '../../../model/text/clip.ts'
import { plain, sentencesOf } from './sentences.ts'

const CHARACTERS = 200
const LOOKED_AT = 1_500

/** What an agent says in the words behind a failure about its cause and its remedy; empty where it only goes on looking. */
export function saidToFailure(text: string): string {
  const sentences = sentencesOf(text.slice(0, LOOKED_AT).replace(/^THOUGHT:\s*/, '')).map(plain)
  const telling = sentences.filter((sentence) => sentence.length >= LEAST_CHARACTERS && !LOOKING.test(sentence))
  return clip(
    telling
      .slice(0, MOST_SENTENCES)
      .join(' ')
      .replace(/[:：]$/, '.'),
    CHARACTERS,
  )
}

const LEAST_CHARACTERS = 15
const MOST_SENTENCES = 2

/** Announcements are left out: the steps that followed tell the same. */
const LOOKING =
  /\b(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to|i should|i want to)\s+(?:\w+ly |also |now |first |just |try to |see if i can )*(?:add|apply|check|look|see|find|fix|verify|investigate|read|re-?run|run|view|search|examine|debug|test|try|update|use|explore|inspect|correct|get)\b|^(?:good|great|perfect|ok(?:ay)?|hmm|wait|interesting|now|i see)\b.{0,30}$/i
