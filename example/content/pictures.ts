/** The pictures of the folder `pictures`, each with the topic that it goes with and its French words. */
export const pictures = [
  {
    file: 'river-at-dawn',
    topic: 'rivers',
    title: 'River at dawn',
    alt: 'A pale river winds between blue hills; the sun is about to rise.',
    french: {
      title: 'Rivière à l’aube',
      alt: 'Une rivière pâle serpente entre des collines bleues, avant le lever du soleil.',
    },
  },
  {
    file: 'night-over-the-hills',
    topic: 'night',
    title: 'Night over the hills',
    alt: 'The moon and many stars above dark hills.',
    french: { title: 'Nuit sur les collines', alt: 'La lune et beaucoup d’étoiles au-dessus de collines sombres.' },
  },
  {
    file: 'old-town',
    topic: 'cities',
    title: 'Old town',
    alt: 'A row of tall, narrow houses in warm colours.',
    french: { title: 'Vieille ville', alt: 'Une rangée de maisons hautes et étroites aux couleurs chaudes.' },
  },
  {
    file: 'wild-garden',
    topic: 'gardens',
    title: 'Wild garden',
    alt: 'Flowers of all colours in a meadow.',
    french: { title: 'Jardin sauvage', alt: 'Des fleurs de toutes les couleurs dans un pré.' },
  },
  {
    file: 'kitchen-table',
    topic: 'food',
    title: 'Kitchen table',
    alt: 'Three fruits on a plate, and a blue jug.',
    french: { title: 'Table de cuisine', alt: 'Trois fruits sur une assiette, et une cruche bleue.' },
  },
] as const
