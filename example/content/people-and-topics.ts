export const authors = [
  {
    title: 'Ines Moreau',
    slug: 'ines-moreau',
    town: 'Nantes',
    email: 'ines@lantern.example',
    bio: 'Ines writes about rivers and the people who live by them. She rows badly and often.',
  },
  {
    title: 'Tomasz Wolny',
    slug: 'tomasz-wolny',
    town: 'Gdańsk',
    email: 'tomasz@lantern.example',
    bio: 'Tomasz was a joiner for eleven years before he began to write about things that are made by hand.',
  },
  {
    title: 'Adaeze Obi',
    slug: 'adaeze-obi',
    town: 'Bristol',
    email: 'adaeze@lantern.example',
    bio: 'Adaeze is a soil scientist. She explains what happens under our feet, and seldom looks up.',
  },
  {
    title: 'Hugh Pemberton',
    slug: 'hugh-pemberton',
    town: 'Leeds',
    email: 'hugh@lantern.example',
    bio: 'Hugh walks through cities at hours when nobody else does, and writes down what they sound like.',
  },
  {
    title: 'Claire Aubert',
    slug: 'claire-aubert',
    town: 'Lyon',
    email: 'claire@lantern.example',
    bio: 'Claire cooks, translates, and believes that both are the same work.',
  },
  {
    title: 'Samir Haddad',
    slug: 'samir-haddad',
    town: 'Marseille',
    email: 'samir@lantern.example',
    bio: 'Samir teaches physics in the mornings and repairs radios in the afternoons.',
  },
] as const

/** Each with its French title and blurb. */
export const topics = [
  {
    slug: 'cities',
    color: '#35618e',
    title: 'Cities',
    blurb: 'Streets, squares and the people who use them.',
    french: { title: 'Villes', blurb: 'Les rues, les places et ceux qui les habitent.' },
  },
  {
    slug: 'craft',
    color: '#8a5a2b',
    title: 'Craft',
    blurb: 'Things made by hand, and the hands that make them.',
    french: { title: 'Artisanat', blurb: 'Ce qui se fait à la main, et les mains qui le font.' },
  },
  {
    slug: 'food',
    color: '#b5452c',
    title: 'Food',
    blurb: 'What we cook, and why it tastes of home.',
    french: { title: 'Cuisine', blurb: 'Ce que l’on cuisine, et pourquoi cela a le goût de chez soi.' },
  },
  {
    slug: 'gardens',
    color: '#4a7c45',
    title: 'Gardens',
    blurb: 'Soil, seeds and patience.',
    french: { title: 'Jardins', blurb: 'De la terre, des graines et de la patience.' },
  },
  {
    slug: 'language',
    color: '#6b4c8a',
    title: 'Language',
    blurb: 'Words, and how they wander.',
    french: { title: 'Langues', blurb: 'Les mots, et leurs voyages.' },
  },
  {
    slug: 'night',
    color: '#2b2d52',
    title: 'Night',
    blurb: 'What happens when the lamps are lit.',
    french: { title: 'Nuit', blurb: 'Ce qui se passe quand les lampes s’allument.' },
  },
  {
    slug: 'rivers',
    color: '#2f7f86',
    title: 'Rivers',
    blurb: 'Water that goes somewhere.',
    french: { title: 'Rivières', blurb: 'L’eau qui va quelque part.' },
  },
  {
    slug: 'science',
    color: '#5a5f66',
    title: 'Science',
    blurb: 'Careful answers to simple questions.',
    french: { title: 'Sciences', blurb: 'Des réponses prudentes à des questions simples.' },
  },
] as const
