-- The rate card gave the reason of the law, "enough sizes for the law that was chosen", as that why a family has no K*.
ALTER TABLE family_fit ADD COLUMN k_star_reason text; -- what stands against K*; null: nothing, nobody asked, or published before
