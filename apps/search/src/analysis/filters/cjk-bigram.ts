import type { FilterTokens, Token } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'

const scripts: Readonly<Record<string, RegExp>> = {
  han: /^\p{Script=Han}$/u,
  hiragana: /^\p{Script=Hiragana}$/u,
  katakana: /^\p{Script=Katakana}$/u,
  hangul: /^\p{Script=Hangul}$/u,
}

/** Letters that stand side by side. */
type Run = readonly Pick<Token, 'text' | 'start' | 'end'>[]

function scriptOf(letter: string): string | undefined {
  return Object.keys(scripts).find((name) => scripts[name]?.test(letter))
}

/** A word cut into its letters where it is written in these scripts, for the tokenizer leaves runs of them whole; other words as they are. */
function lettersOf(token: Token): readonly Token[] {
  const letters = [...token.text]
  if (!letters.every((letter) => scriptOf(letter) !== undefined)) return [token]
  let at = token.start
  return letters.map((text) => {
    const start = at
    at += text.length
    return { ...token, text, start, end: at }
  })
}

function pairsOf(run: Run, position: number, withSingles: boolean): Token[] {
  return run.flatMap((letter, at): Token[] => {
    const next = run[at + 1]
    const place = position + at
    const single: Token = { ...letter, position: place, type: '<SINGLE>' }
    if (!next) return withSingles || run.length === 1 ? [single] : []
    const pair: Token = {
      text: letter.text + next.text,
      start: letter.start,
      end: next.end,
      position: place,
      type: '<DOUBLE>',
    }
    return withSingles ? [single, { ...pair, positionLength: 2 }] : [pair]
  })
}

/** `cjk_bigram`: letters of Chinese, Japanese and Korean in overlapping pairs. */
export const cjkBigramFilter = defineComponent<FilterTokens>({
  name: 'cjk_bigram',
  create(options) {
    const ignored = options.list('ignored_scripts') ?? []
    const unknown = ignored.find((script) => !Object.hasOwn(scripts, script))
    if (unknown !== undefined) throw illegalOption(`Unknown CJK script [${unknown}]`)
    const isPaired = ({ text }: Token) => {
      const script = scriptOf(text)
      return script !== undefined && !ignored.includes(script)
    }
    const withSingles = options.flag('output_unigrams', false)
    return (tokens) => {
      const made: Token[] = []
      let run: { text: string; start: number; end: number }[] = []
      const place = () => (made.at(-1)?.position ?? -1) + 1
      const endRun = () => {
        for (const each of pairsOf(run, place(), withSingles)) made.push(each)
        run = []
      }
      for (const token of tokens.flatMap(lettersOf)) {
        const paired = isPaired(token)
        if (run.length > 0 && (!paired || run.at(-1)?.end !== token.start)) endRun()
        if (paired) run.push({ text: token.text, start: token.start, end: token.end })
        else made.push({ ...token, position: place() })
      }
      endRun()
      return made
    }
  },
})
