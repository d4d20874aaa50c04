import { InvalidArgumentError } from 'commander'

/** One of a few words. Unlike Commander's own choices, these are not repeated in the help, whose sentence names them. */
export function choiceOption(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}`)
    return text
  }
}
