import type { Message } from '../../model/message.ts'
import type { FaceRequest } from '../faces/face.ts'
import { faceNamed } from '../faces/faces.ts'
import { chainStart, chainValue } from './chain.ts'

/** A message of a conversation, and the value of the conversation up to it. */
export type Step = {
  readonly message: Message
  readonly value: string
  /** The place of the request's message that it is in. */
  readonly at: number
  /** Its place among the messages of ours that this one comes to. */
  readonly piece: number
}

/** The messages of a request that say something, as ours. */
export function stepsOf(read: FaceRequest, owner: string): Step[] {
  const steps: Step[] = []
  let value = chainStart(owner, read.face)
  const lists = faceNamed(read.face).messagesOf(read.messages.map((message) => message.value))
  for (const [at, messages] of lists.entries()) {
    for (const [piece, message] of messages.entries()) {
      const next = chainValue(value, message)
      if (next !== value) steps.push({ message, value: next, at, piece })
      value = next
    }
  }
  return steps
}
