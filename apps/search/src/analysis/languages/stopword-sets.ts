import { stopwords as arabic } from '@orama/stopwords/arabic'
import { stopwords as armenian } from '@orama/stopwords/armenian'
import { stopwords as bulgarian } from '@orama/stopwords/bulgarian'
import { stopwords as danish } from '@orama/stopwords/danish'
import { stopwords as dutch } from '@orama/stopwords/dutch'
import { stopwords as finnish } from '@orama/stopwords/finnish'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as greek } from '@orama/stopwords/greek'
import { stopwords as hungarian } from '@orama/stopwords/hungarian'
import { stopwords as hindi } from '@orama/stopwords/indian'
import { stopwords as indonesian } from '@orama/stopwords/indonesian'
import { stopwords as irish } from '@orama/stopwords/irish'
import { stopwords as italian } from '@orama/stopwords/italian'
import { stopwords as lithuanian } from '@orama/stopwords/lithuanian'
import { stopwords as norwegian } from '@orama/stopwords/norwegian'
import { stopwords as portuguese } from '@orama/stopwords/portuguese'
import { stopwords as romanian } from '@orama/stopwords/romanian'
import { stopwords as russian } from '@orama/stopwords/russian'
import { stopwords as serbian } from '@orama/stopwords/serbian'
import { stopwords as spanish } from '@orama/stopwords/spanish'
import { stopwords as swedish } from '@orama/stopwords/swedish'
import { stopwords as turkish } from '@orama/stopwords/turkish'
import { bengali, brazilian, czech, estonian, latvian, persian } from './own-stopwords.ts'

/** The words of English that the stop filter leaves out. */
const english =
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  )

/** The words that say nothing in a language, by its English name in lower case; of most the Snowball project's. */
export const stopwordSets: Readonly<Record<string, readonly string[]>> = {
  arabic,
  armenian,
  bengali,
  brazilian,
  bulgarian,
  czech,
  danish,
  dutch,
  english,
  estonian,
  finnish,
  french,
  german,
  greek,
  hindi,
  hungarian,
  indonesian,
  irish,
  italian,
  latvian,
  lithuanian,
  none: [],
  norwegian,
  persian,
  portuguese,
  romanian,
  russian,
  serbian,
  spanish,
  swedish,
  turkish,
}
