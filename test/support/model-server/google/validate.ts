import { repeated } from '../bad-body.ts'
import { isSelfSigned } from '../signature.ts'
import { type Content, callsOf, declarationsOf, type GoogleBody, isCall, responsesOf } from './body.ts'

const CALL_PLACE =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
const RESPONSE_PLACE = 'Please ensure that function response turn comes immediately after a function call turn.'
const COUNT =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'

/** All that Gemini would refuse the request for, in its words. */
export function googleProblems(body: GoogleBody): string[] {
  const { contents } = body
  const names = declarationsOf(body).map(({ name }) => name)
  const ids = contents.flatMap((content) => callsOf(content).flatMap(({ id }) => id ?? []))
  return [
    ...(contents.length === 0 ? ['* GenerateContentRequest.contents: contents is not specified'] : []),
    ...(contents[0]?.role === 'model' ? ['Please ensure that the first content is of role user.'] : []),
    ...contents.flatMap((content, i) => [...contentProblems(content, i), ...pairProblems(contents, i)]),
    ...repeated(names).map((name) => `Duplicate function declaration found: ${name}`),
    ...repeated(ids).map((id) => `Duplicate function call id: ${id}`),
  ]
}

/** All that Gemini takes, and a strict server that speaks its protocol would refuse. */
export function googleOddities(body: GoogleBody): string[] {
  const used = body.contents.some((content) => callsOf(content).length + responsesOf(content).length > 0)
  return used && declarationsOf(body).length === 0 ? ['Function calls and responses need declared functions.'] : []
}

function contentProblems({ role, parts }: Content, at: number): string[] {
  const empty = parts.some((part) => 'text' in part && part.text === '' && !('thoughtSignature' in part))
  const forged = parts.some(
    (part) =>
      isCall(part) &&
      typeof part.thoughtSignature === 'string' &&
      part.thoughtSignature !== 'skip_thought_signature_validator' &&
      !isSelfSigned(part.thoughtSignature),
  )
  return [
    ...(forged ? ['Thought signature is not valid.'] : []),
    ...(role === 'user' || role === 'model' ? [] : ['Please use a valid role: user, model.']),
    ...(parts.length === 0
      ? [`* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`]
      : []),
    ...(empty ? ['Unable to submit request because it has an empty text parameter.'] : []),
  ]
}

function pairProblems(contents: readonly Content[], at: number): string[] {
  const [before, here, after] = [contents[at - 1], contents[at], contents[at + 1]]
  const calls = callsOf(here).map(({ id = '', name }) => `${id} ${name}`)
  const responses = responsesOf(after).map(({ id = '', name }) => `${id} ${name}`)
  const misplaced = calls.length > 0 && before?.role !== 'user'
  const orphaned = responsesOf(here).length > 0 && callsOf(before).length === 0
  const unequal = calls.length > 0 && calls.toSorted().join() !== responses.toSorted().join()
  return [...(misplaced ? [CALL_PLACE] : []), ...(orphaned ? [RESPONSE_PLACE] : []), ...(unequal ? [COUNT] : [])]
}
