import { expect, test } from 'vitest'
import { countryOf } from './countries.ts'

test('codes of two and three letters, numbers and names mean a country', () => {
  for (const word of ['DE', 'de', 'DEU', '276', 'Germany', ' germany ']) expect(countryOf(word)?.iso2, word).toBe('DE')
})

test('the names that databases of addresses use are known', () => {
  const names = {
    'United States': 'US',
    Russia: 'RU',
    'South Korea': 'KR',
    'North Korea': 'KP',
    'DR Congo': 'CD',
    'Congo Republic': 'CG',
    'The Netherlands': 'NL',
    Türkiye: 'TR',
    Turkey: 'TR',
    Czechia: 'CZ',
    Vietnam: 'VN',
    'Viet Nam': 'VN',
    'Côte d’Ivoire': 'CI',
    'Ivory Coast': 'CI',
    'Hong Kong': 'HK',
    Macao: 'MO',
    Eswatini: 'SZ',
    'Cabo Verde': 'CV',
    'São Tomé and Príncipe': 'ST',
    'St Kitts and Nevis': 'KN',
    'Bosnia and Herzegovina': 'BA',
    'North Macedonia': 'MK',
    'United Kingdom': 'GB',
    Taiwan: 'TW',
    Palestine: 'PS',
    Kosovo: 'XK',
    'Timor-Leste': 'TL',
    Myanmar: 'MM',
  }
  const found = Object.keys(names).map((name) => [name, countryOf(name)?.iso2])
  expect(Object.fromEntries(found)).toEqual(names)
})

test('what is no country is none', () => {
  for (const word of ['', 'Texas', 'ZZ', 'US-CA', 'Europe']) expect(countryOf(word), word).toBeUndefined()
})
