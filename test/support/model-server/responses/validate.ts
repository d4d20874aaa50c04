import { isRecord, parseArguments, repeated } from '../bad-body.ts'
import { signatureOf } from '../signature.ts'
import { contentText, type Item, isMessage, isSystem, type ResponsesBody } from './body.ts'

/** All that the Responses API would refuse the request for; `items` is its input with all references resolved. */
export function responsesProblems({ tools = [] }: ResponsesBody, items: readonly Item[]): string[] {
  const said = items.filter((item) => !isSystem(item))
  const [first] = said
  return [
    ...(first === undefined ? ["Invalid 'input': there is nothing but system messages."] : []),
    ...(first !== undefined && !(isMessage(first) && first.role === 'user')
      ? ["Invalid 'input[0]': the first item must be a message of the user."]
      : []),
    ...items.flatMap((item, i) => [
      ...textProblems(item, i),
      ...referenceProblems(item),
      ...reasoningProblems(items, i),
    ]),
    ...pairProblems(items),
    ...repeated(tools.flatMap(({ name }) => name ?? [])).map((name) => `Invalid 'tools': ${name} is declared twice.`),
  ]
}

/** All that OpenAI takes, and a strict server that speaks its protocol would refuse. */
export function responsesOddities({ tools = [] }: ResponsesBody, items: readonly Item[]): string[] {
  const used = items.some(({ type }) => type === 'function_call' || type === 'function_call_output')
  return [
    ...items.flatMap((_, i) => systemProblems(items, i)),
    ...(used && tools.length === 0 ? ["Invalid 'tools': function calls in the input need declared tools."] : []),
    ...tools.filter(({ type }) => type !== 'function').map(({ type }) => `Invalid 'tools': ${type} is no function.`),
  ]
}

function systemProblems(items: readonly Item[], at: number): string[] {
  const [item, before] = [items[at], items[at - 1]]
  return item !== undefined && isSystem(item) && before !== undefined && !isSystem(before)
    ? [`Invalid 'input[${at}].role': a system message may only come first.`]
    : []
}

function textProblems(item: Item, at: number): string[] {
  if (!isMessage(item)) return []
  const parts = typeof item.content === 'string' ? [] : item.content
  const wanted = item.role === 'assistant' ? 'output_text' : 'input_text'
  const texts = parts.filter(({ type }) => type === 'input_text' || type === 'output_text')
  const empty = texts.some(({ text = '' }) => text === '')
  const nothing = contentText(item.content).trim() === '' && texts.length === parts.length
  return [
    ...(empty || nothing ? [`Invalid 'input[${at}].content': the text is empty.`] : []),
    ...texts
      .filter(({ type }) => type !== wanted)
      .map(({ type }) => `Invalid value: '${type}'. Supported values are: '${wanted}'. input[${at}].content`),
  ]
}

/** A reference that is still there could not be resolved. */
function referenceProblems(item: Item): string[] {
  return item.type === 'item_reference' ? [`Item with id '${item.id}' not found.`] : []
}

/** A model's reasoning is worth nothing without what came of it, and nothing once changed. */
function reasoningProblems(items: readonly Item[], at: number): string[] {
  const [item, next] = [items[at], items[at + 1]]
  if (item?.type !== 'reasoning') return []
  const followed =
    next?.type === 'function_call' || (next !== undefined && isMessage(next) && next.role === 'assistant')
  const text = item.summary.map((part) => part.text).join('')
  return [
    ...(followed ? [] : [`Item '${item.id}' of type 'reasoning' was provided without its required following item.`]),
    ...(item.encrypted_content != null && item.encrypted_content !== signatureOf(text)
      ? [`The encrypted content for item ${item.id} could not be verified.`]
      : []),
  ]
}

function pairProblems(items: readonly Item[]): string[] {
  const calls = items.flatMap((item, at) => (item.type === 'function_call' ? [{ ...item, at }] : []))
  const outputs = items.flatMap((item, at) => (item.type === 'function_call_output' ? [{ id: item.call_id, at }] : []))
  const callAt = new Map(calls.map(({ call_id, at }) => [call_id, at]))
  const answered = new Set(outputs.map(({ id }) => id))
  return [
    ...calls
      .filter(({ call_id }) => !answered.has(call_id))
      .map(({ call_id }) => `No tool output found for function call ${call_id}.`),
    ...outputs
      .filter(({ id, at }) => (callAt.get(id) ?? Number.POSITIVE_INFINITY) > at)
      .map(({ id }) => `No tool call found for function call output with call_id ${id}.`),
    ...repeated(calls.map(({ call_id }) => call_id)).map((id) => `Duplicate function call with call_id ${id}.`),
    ...repeated(outputs.map(({ id }) => id)).map((id) => `Duplicate function call output with call_id ${id}.`),
    ...calls
      .filter((call) => !isRecord(parseArguments(call.arguments)))
      .map(({ call_id }) => `Invalid 'input': the arguments of ${call_id} are no JSON object.`),
  ]
}
