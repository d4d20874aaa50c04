import { hash } from 'node:crypto'
import type { Message } from '../../model/message/message.ts'
import type { FaceName } from '../faces/face.ts'
import { linksOf } from './links.ts'

/** The value of a conversation in which nothing was said. Owners and protocols share nothing. */
export function chainStart(owner: string, face: FaceName): string {
  return digest(JSON.stringify([owner, face]))
}

/** The value of a conversation that goes on with this message. A message that says nothing changes nothing. */
export function chainValue(before: string, message: Message): string {
  return linksOf(message).reduce((value, link) => digest(`${value}\n${link}`), before)
}

/** Stands for a line of a summary that has so many lines by which it is known. */
export function summaryValue(owner: string, count: number, line: string): string {
  return digest(JSON.stringify([owner, 'summary', count, line]))
}

/** 24 bytes are enough that no two conversations ever have the same value, and each is stored. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 32)
}
