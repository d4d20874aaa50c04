import type {
  FileData,
  Message,
  Part,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../../../model/message/message.ts'
import { outputText } from '../../../model/message/message.ts'

/** A text of a message, or a file, which is there whole or not at all. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly name: 'image' | 'file' }

/** The texts and files of a user's message, or of tool results, in the order by which a squeeze counts them. */
export function piecesOf(message: Message): Piece[] {
  const pieces: Piece[] = []
  changePieces(message, (piece) => {
    pieces.push(piece)
    return undefined
  })
  return pieces
}

/** The text that replaces a piece; undefined if it stays. */
type PieceChange = (piece: Piece, at: number) => string | undefined

/** The message with some of its pieces replaced by a text; ids, names and all other parts stay. */
export function changePieces(message: Message, change: PieceChange): Message {
  let at = 0
  const next: NextChange = (piece) => change(piece, at++)
  if (typeof message.content === 'string') {
    const content = next({ kind: 'text', text: message.content })
    return content === undefined ? message : ({ ...message, content } as Message)
  }
  const parts = message.content as readonly Part[]
  return { ...message, content: parts.map((part) => changedPart(part, next)) } as Message
}

type NextChange = (piece: Piece) => string | undefined

function changedPart(part: Part, next: NextChange): Part {
  switch (part.type) {
    case 'text':
    case 'image':
    case 'file':
      return changedContent(part, next)
    case 'tool-result':
      return changedResult(part, next)
    default:
      return part
  }
}

function changedResult(result: ToolResultPart, next: NextChange): ToolResultPart {
  const { output } = result
  if (output.type === 'content') {
    return { ...result, output: { ...output, value: output.value.map((content) => changedContent(content, next)) } }
  }
  const value = next({ kind: 'text', text: outputText(output) })
  if (value === undefined) return result
  return { ...result, output: { type: output.type.startsWith('error') ? 'error-text' : 'text', value } }
}

function changedContent<C extends UserPart | ToolResultContent>(content: C, next: NextChange): C {
  if (content.type === 'text') {
    const text = next({ kind: 'text', text: content.text })
    return text === undefined ? content : { ...content, text }
  }
  const data = content.type === 'file' ? textData(content.data) : undefined
  if (data !== undefined) {
    const text = next({ kind: 'text', text: data.text })
    return text === undefined ? content : { ...content, data: { ...data, text } }
  }
  const note = next({ kind: 'file', name: content.type.startsWith('image') ? 'image' : 'file' })
  return note === undefined ? content : ({ type: 'text', text: note } as C)
}

/** A file may be given as a text, which can be shortened like any other. */
function textData(data: unknown): Extract<FileData, { type: 'text' }> | undefined {
  if (typeof data !== 'object' || data === null || !('text' in data) || typeof data.text !== 'string') return undefined
  return data as Extract<FileData, { type: 'text' }>
}
