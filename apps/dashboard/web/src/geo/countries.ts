import codes from 'i18n-iso-countries/codes.json'
import english from 'i18n-iso-countries/langs/en.json'

/** A country of ISO 3166-1. */
export interface Country {
  /** Alpha-2, upper case. */
  readonly iso2: string
  readonly iso3: string
  /** Three digits, `004`. */
  readonly numeric: string
  /** In English. */
  readonly name: string
}

const byWord = new Map<string, Country>()
/** All countries that ISO 3166-1 names, and Kosovo. */
export const countries: readonly Country[] = codes.map((row) => {
  const [iso2 = '', iso3 = '', numeric = ''] = row
  return { iso2, iso3, numeric, name: namesOf(iso2)[0] ?? iso2 }
})

// What databases of addresses call countries, where ISO's names are others.
const otherNames: Readonly<Record<string, readonly string[]>> = {
  CD: [
    'DR Congo',
    'Democratic Republic of Congo',
    'Congo (DRC)',
    'Dem. Rep. Congo',
    'Congo, the Democratic Republic of the',
  ],
  CG: ['Congo Republic', 'Congo, Republic of the'],
  CZ: ['Czech Rep.'],
  DO: ['Dominican Rep.'],
  BA: ['Bosnia', 'Bosnia and Herz.'],
  CF: ['Central African Rep.'],
  SS: ['S. Sudan'],
  KP: ['North Korea', "Korea, Democratic People's Republic of"],
  LA: ['Laos', "Lao People's Democratic Republic"],
  SY: ['Syria', 'Syrian Arab Republic'],
  VN: ['Vietnam', 'Viet Nam'],
  BO: ['Bolivia', 'Bolivia, Plurinational State of'],
  VE: ['Venezuela', 'Venezuela, Bolivarian Republic of'],
  MD: ['Moldova', 'Moldova, Republic of'],
  BN: ['Brunei', 'Brunei Darussalam'],
  HK: ['Hong Kong', 'Hong Kong SAR China'],
  MO: ['Macao', 'Macau'],
  SZ: ['Swaziland', 'Eswatini'],
  CV: ['Cape Verde', 'Cabo Verde'],
  MM: ['Burma', 'Myanmar'],
  TL: ['East Timor', 'Timor-Leste'],
  VA: ['Vatican City', 'Vatican'],
  FM: ['Micronesia', 'Federated States of Micronesia'],
  XK: ['Kosovo'],
  TR: ['Turkiye'],
}

// Aliases first: where two countries have a word in common, it is that of which it is the name.
for (const country of countries) {
  for (const word of [...namesOf(country.iso2), ...(otherNames[country.iso2] ?? [])]) byWord.set(plain(word), country)
}
for (const country of countries) {
  for (const word of [country.name, country.iso2, country.iso3, country.numeric]) byWord.set(plain(word), country)
}

/** The country that a code of two or three letters, a numeric code or an English name means; undefined for what is none. */
export function countryOf(word: string): Country | undefined {
  return byWord.get(plain(word))
}

function namesOf(iso2: string): readonly string[] {
  const names = (english.countries as Readonly<Record<string, string | readonly string[]>>)[iso2] ?? []
  return typeof names === 'string' ? [names] : names
}

/** Letters and digits alone: accents, case, points and "the" make no difference. */
function plain(word: string): string {
  return word
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/\bst\b\.?/g, 'saint')
    .replaceAll(/&/g, 'and')
    .replaceAll(/\bthe\b/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
