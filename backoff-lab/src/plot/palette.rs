//! Colours, each in a version for light surroundings and one for dark.

use crate::report::Colour;
use plotters::style::RGBColor;

/// What is drawn, by its part in the picture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Paper,
    Strong,
    Soft,
    Grid,
    Series(Colour),
}

const ALL: [Ink; 11] = [
    Ink::Paper,
    Ink::Strong,
    Ink::Soft,
    Ink::Grid,
    Ink::Series(Colour::Vermilion),
    Ink::Series(Colour::Blue),
    Ink::Series(Colour::Orange),
    Ink::Series(Colour::Green),
    Ink::Series(Colour::Purple),
    Ink::Series(Colour::Sky),
    Ink::Series(Colour::Grey),
];

impl Ink {
    /// Light and dark. No two light ones are alike, so that a style sheet can tell them apart.
    const fn shades(self) -> [RGBColor; 2] {
        match self {
            Self::Paper => [rgb(0xFF_FF_FF), rgb(0x0D_11_17)],
            Self::Strong => [rgb(0x1F_23_28), rgb(0xE6_ED_F3)],
            Self::Soft => [rgb(0x59_63_6E), rgb(0x9D_A7_B3)],
            Self::Grid => [rgb(0xD8_DE_E4), rgb(0x2D_33_3B)],
            Self::Series(Colour::Vermilion) => [rgb(0xD5_5E_00), rgb(0xFF_83_33)],
            Self::Series(Colour::Blue) => [rgb(0x00_72_B2), rgb(0x4A_A8_E0)],
            Self::Series(Colour::Orange) => [rgb(0xE6_9F_00), rgb(0xF2_B7_2E)],
            Self::Series(Colour::Green) => [rgb(0x00_9E_73), rgb(0x2C_C4_97)],
            Self::Series(Colour::Purple) => [rgb(0xAA_4A_8C), rgb(0xDD_8F_C0)],
            Self::Series(Colour::Sky) => [rgb(0x56_B4_E9), rgb(0x8C_D0_F5)],
            Self::Series(Colour::Grey) => [rgb(0x8C_95_9F), rgb(0x76_7F_8A)],
        }
    }

    pub(super) const fn light(self) -> RGBColor {
        self.shades()[0]
    }
}

/// The rules that turn a light picture into a dark one.
pub(super) fn dark() -> String {
    let rules = ALL.iter().map(|ink| {
        let [light, dark] = ink.shades().map(hex);
        format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
    });
    format!("<style>@media (prefers-color-scheme:dark){{{}}}</style>", rules.collect::<String>())
}

fn hex(colour: RGBColor) -> String {
    format!("#{:02X}{:02X}{:02X}", colour.0, colour.1, colour.2)
}

const fn rgb(hex: u32) -> RGBColor {
    let [_, red, green, blue] = hex.to_be_bytes();
    RGBColor(red, green, blue)
}
